// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension AnalysisFailure {
    /// A video with a disagreement, in which nothing sensitive was found.
    package init(_ kind: Disagreement.Kind) {
        switch kind {
        case .contradiction:
            self.init(
                .ambiguousMedia,
                "The file contradicts itself about its tracks, so programs may show different ones, and nothing sensitive"
                    + " was found in those that were looked at. Save it anew with a program that plays it.")
        case .otherLook:
            self.init(
                .ambiguousMedia,
                "Programs show the file differently (a profile, an unusual curve or matrix, an edge that is cut off, or a track"
                    + " of opacity), and nothing sensitive was found in the one look that can be made. Convert it to BT.709 or sRGB."
            )
        case .changedCodec:
            self.init(
                .unsupportedMedia,
                "The video changes its codec or the codec's parameters on the way, which is not followed, and nothing"
                    + " sensitive was found in what was looked at. Convert it to MP4 or Matroska with one codec.")
        case .unknownStream:
            self.init(
                .unsupportedMedia,
                "The file has another stream of pictures that cannot be decoded, and nothing sensitive was found in the"
                    + " others. Convert it to MP4 or Matroska.")
        }
    }
}

/// The words of each disagreement about a picture, in which "it" is the picture.
extension Disagreement {
    // MARK: Every format

    package static let otherFormat = Self("it fits another format as well")
    package static let runBeyondRow = Self("run lengths beyond a row")
    package static let profileTwice = Self("two colour profiles")
    package static func unknownColours(_ primaries: Int, _ transfer: Int) -> Self {
        Self("colours of the kind \(primaries), \(transfer)")
    }
    package static func unusualSamples(_ count: Int) -> Self { Self("\(count) samples of a pixel") }
    package static func manyRenderings(_ count: Int) -> Self { Self("\(count) renderings of one picture") }
    package static func manyLooks(_ count: Int) -> Self { Self("\(count) looks of one picture") }
    package static func unsupportedProfile(_ reason: String) -> Self {
        Self("a colour profile that cannot be applied: \(reason)")
    }

    // MARK: BMP

    package static let colourBeyondPalette = Self("a colour beyond the palette")
    package static let profileOfBitmap = Self("a colour profile that is cut off, or beside opacity")
    package static let unusualMasks = Self("masks that are no parts of a pixel")
    package static let oddRunLengths = Self("run lengths at an odd place")
    package static let paletteWithoutRoom = Self("a palette without room")
    package static let paletteOfItsNumbers = Self("a palette that says the same as its numbers")

    // MARK: GIF

    package static let unusualControl = Self("a control of an unusual size")
    package static let missingControl = Self("a picture without a control behind a transparent one")
    package static let unknownDisposal = Self("a way of disposal without a meaning")
    package static let pictureWithoutColours = Self("a picture without colours")
    package static let emptyPicture = Self("a picture without width or height")
    package static let pixelsWithoutColour = Self("pixels of no colour")
    package static let removedOpaquePicture = Self("an opaque picture of all colours that is taken away")

    // MARK: HEIF and AVIF

    package static let itemTwice = Self("two items of one number")
    package static let itemLocatedTwice = Self("an item that is located twice")
    package static let boxMini = Self("a box mini")
    package static let metadataTwice = Self("two boxes meta")
    package static let croppedOpacity = Self("edges cut off of a picture with opacity")
    package static let movieInOtherBox = Self("a movie in another box")
    package static let hiddenPrimaryItem = Self("its primary item is hidden, or a thumbnail or part of another")
    package static let opacityTwice = Self("two kinds of opacity of one picture")
    package static let otherShapeOfOpacity = Self("opacity of another size, or turned otherwise, than its picture")
    package static let cropAfterTurn = Self("edges cut off of a picture that was turned")
    package static let derivedItemWithData = Self("a picture made of others, with data of its own")
    package static let turnedTiles = Self("tiles that are turned or cropped one by one")
    package static let itemElsewhere = Self("a picture that does not lie in the file as such")
    package static let overlappingItems = Self("items that overlap")
    package static let severalLengthSizes = Self("lengths of several sizes")
    package static let unusualMatrix = Self("several matrices, or an unusual one")
    package static let severalEmbeddedVideos = Self("several videos beside the picture")
    package static func boxTwice(_ name: String) -> Self { Self("two boxes \(name)") }
    package static func unshownItems(_ count: Int, shown: Int) -> Self {
        Self("\(count) visible items, of which \(shown) can be shown")
    }
    package static func propertyTwice(_ name: String) -> Self { Self("an item with two boxes \(name)") }
    package static func severalPicturesInItem(_ count: Int) -> Self { Self("\(count) pictures in one item") }

    // MARK: Camera files

    package static let rawPicture = Self(
        "a camera's raw picture, which each program develops in its own way; nothing sensitive was found in its previews"
    )

    // MARK: JPEG

    package static let sharedComponents = Self("its components share a name, or more than two pixels")
    package static let contradictoryColours = Self(
        "its markers and the names of its components say different things of its colours")
    package static let unfittingProfilePieces = Self("a colour profile in pieces that do not fit")
    package static let segmentsBehindScan = Self("segments behind the first scan")
    package static let scanTwice = Self("a scan that is not its component's only one")
    package static let missingScans = Self("scans that are missing")
    package static let frameTwice = Self("two frames in one picture")
    package static let videoWithoutEndOfPicture = Self("a video in a picture without an end")
    package static let trailingVideoTwice = Self("two videos behind the picture")
    package static let movieBesideTrailingVideo = Self("a movie beside the video behind the picture")
    package static let gainMap = Self("a gain map that changes it on every display")
    package static let namelessSegment = Self("a segment without a name")
    package static let foreignSegments = Self("segments that are no part of a picture")
    package static let meaninglessCodes = Self("codes without a meaning")
    package static let longDifferences = Self("differences of too many bits")
    package static let longCoefficients = Self("coefficients of too many bits")
    package static let unknownQuantization = Self("a quantization table of an unknown kind")

    // MARK: JPEG 2000

    package static let otherChannels = Self("samples in another order, or with a special meaning")
    package static let segmentTwice = Self("a part of its header that is missing or there twice")

    // MARK: JPEG XL

    package static let foreignBoxes = Self("boxes of another format")
    package static let disorderedCodestream = Self(
        "parts of the picture that are missing, come twice or are out of order")
    package static let dataOfJPEG = Self("data of a JPEG that it was made of")
    package static func extraChannels(_ count: Int) -> Self { Self("\(count) channels beside its colours") }

    // MARK: PNG

    package static let wideTransparentColour = Self("a transparent colour of 16 bits")
    package static let wideGreyAnimation = Self("an animation of grey with 16 bits")
    package static let framesWithOpacity = Self("frames with opacity that programs draw over others differently")
    package static let mixedColours = Self("translucent colours that are converted before or after they are mixed")
    package static let misplacedTransparency = Self("transparent colours in the wrong place or number")
    package static func unusualGamma(_ gamma: UInt32) -> Self { Self("a gamma of \(gamma) / 100000") }
    package static func chunkTwice(_ name: String) -> Self { Self("two chunks \(name)") }
    package static func damagedChunk(_ name: String) -> Self { Self("a damaged chunk \(name)") }
    package static func unusualCodePoints(_ points: [UInt8]) -> Self {
        Self("code points " + points.map { String($0) }.joined(separator: ", "))
    }

    // MARK: SVG

    package static let identifierTwice = Self("a name that belongs to no element, or to two")
    package static let windowOfNoSize = Self("no width, no height, or a large one")
    package static let linkOutside = Self("a link to another file, or a picture that is no PNG or JPEG in base64")
    package static let reducedPicture = Self("a picture that is shown smaller than it is")
    package static let pictureBesideOthers = Self("a picture beside shapes or other pictures")
    package static func unusualPart(_ name: String) -> Self { Self("\(name), which not every program shows alike") }

    // MARK: TGA, PNM, QOI, PCX, SGI and DDS

    package static let opacityBit = Self("a bit of opacity in pixels of 16 bits")
    package static let otherSizeOfEntry = Self("an entry of another size than its picture")
    package static let runBeyondPicture = Self("run lengths beyond the picture")
    package static let privateMeaning = Self("a private meaning of its pixels")
    package static let multipliedColours = Self("colours that are multiplied by opacity")
    package static let opacityBeyondHeader = Self("opacity that its header denies")
    package static let coloursOfOneBit = Self("two colours that are not black and white")
    package static let missingPalette = Self("colours of the display")
    package static let textBetweenNumbers = Self("text between its numbers")
    package static let levelBeyondMaximum = Self("levels beyond the highest")

    // MARK: Photoshop

    package static let resourceTwice = Self("a picture, a channel or a profile that is there twice")
    package static let layersOverOthers = Self("layers that programs draw over each other, or read otherwise")
    package static let missingMergedPicture = Self("layers without a merged picture")

    // MARK: TIFF

    package static let unorderedEntries = Self("entries out of order or twice")
    package static let stripsAndTiles = Self("strips and tiles in one picture")
    package static let unusualEntry = Self("an entry of an unusual type")
    package static let planes = Self("samples in planes")
    package static let paletteBesideColours = Self("a palette beside colours")
    package static let oppositeBits = Self("bits in the opposite order")
    package static let rawLevels = Self("levels of a raw picture")
    package static let paletteWithOpacity = Self("a palette with opacity")
    package static let plainYCbCr = Self("YCbCr that is not JPEG")
    package static let lonelyPredictor = Self("a predictor without its compression")
    package static let opacityOfLab = Self("opacity of Lab colours")
    package static let surplusPieces = Self("more pieces than the picture has")

    // MARK: Live streams

    package static let stretchedPixels = Self("pixels that are far from square")
    package static let unusualY4MColours = Self("colours of Y4M other than 4:2:0 with 8 bits")
    package static let y4mFrameWithParameters = Self("a frame of Y4M that does not begin with FRAME alone")
    package static func unknownY4MWord(_ word: String) -> Self { Self("the word \(word) of a Y4M header") }
    package static let transportStreamBehindHeader = Self("a transport stream behind another header")
    package static let bytesBehindPicture = Self("bytes behind a picture")
    package static let frameWithOpacity = Self("a frame with opacity")
    package static let croppedFrame = Self("a frame that is cut off")
    package static let rotatedFrame = Self("a rotation of single frames")
    package static let interlacedFrame = Self("a frame of two fields")
}

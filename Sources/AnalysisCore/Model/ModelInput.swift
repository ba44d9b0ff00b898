// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The input tensor of a model, and the conversion of a picture into it.
package struct ModelInput: Sendable, Hashable, Codable {
    package var name: String
    /// The size of the tensor, in pixels.
    package var width: Int
    package var height: Int
    package var layout: Layout
    package var channelOrder: ChannelOrder
    /// The values to subtract from the 8-bit values, in the order of the channels.
    package var mean: [Float]
    /// The factors by which the differences are multiplied, in the order of the channels.
    package var scale: [Float]
    package var resize: Resize

    package init(
        name: String, width: Int, height: Int, layout: Layout, channelOrder: ChannelOrder, mean: [Float],
        scale: [Float], resize: Resize
    ) {
        self.name = name
        self.width = width
        self.height = height
        self.layout = layout
        self.channelOrder = channelOrder
        self.mean = mean
        self.scale = scale
        self.resize = resize
    }

    /// The shape of the tensor of one picture.
    package var shape: [Int] {
        switch layout {
        case .channelsLast: [1, height, width, 3]
        case .channelsFirst: [1, 3, height, width]
        }
    }

    package enum Layout: String, Sendable, Hashable, Codable, CaseIterable {
        case channelsLast = "NHWC"
        case channelsFirst = "NCHW"
    }

    package enum ChannelOrder: String, Sendable, Hashable, Codable, CaseIterable {
        case rgb = "RGB"
        case bgr = "BGR"
    }

    /// The conversion of a picture of any size to the tensor's size.
    package struct Resize: Sendable, Hashable, Codable {
        package var mode: Mode
        /// The size that the resized picture fills, fits or covers, by the mode, in pixels.
        package var width: Int
        package var height: Int
        package var filter: Filter
        /// The part of the resized picture that goes into the tensor.
        package var crop: Crop

        package init(mode: Mode = .stretch, width: Int, height: Int, filter: Filter, crop: Crop = .center) {
            self.mode = mode
            self.width = width
            self.height = height
            self.filter = filter
            self.crop = crop
        }

        package enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
            /// Width and height are resized independently, which distorts the picture.
            case stretch
            /// The whole picture is resized in its proportions to fit the size, with black beside it.
            case fit
            /// The picture is resized in its proportions to cover the size, and its longer side is cropped.
            case centerCrop
        }

        package enum Filter: String, Sendable, Hashable, Codable, CaseIterable {
            case bilinear
            case bicubic
        }

        package enum Crop: String, Sendable, Hashable, Codable, CaseIterable {
            case center
        }

        /// The size to which a whole picture is resized, in pixels.
        ///
        /// - Parameters:
        ///   - width: the width of the picture in its displayed proportions, at least 1.
        ///   - height: the height of the picture, at least 1.
        package func size(ofPictureWithWidth width: Int, height: Int) -> (width: Int, height: Int) {
            let (horizontal, vertical) = (Double(self.width) / Double(width), Double(self.height) / Double(height))
            let scale: Double
            switch mode {
            case .stretch: return (self.width, self.height)
            case .fit: scale = min(horizontal, vertical)
            case .centerCrop: scale = max(horizontal, vertical)
            }
            func length(_ original: Int) -> Int { max(1, Int((Double(original) * scale).rounded())) }
            return (length(width), length(height))
        }

        /// The position of the tensor's first column or row in the resized picture; negative if black lies before it.
        package func start(ofTensorLength length: Int, in resizedLength: Int) -> Int {
            switch crop {
            case .center: (resizedLength - length) / 2
            }
        }

        /// The least width and height to which a decoder may reduce a picture, in pixels; each is reduced by itself.
        package var minimumSize: (width: Int, height: Int) {
            switch mode {
            case .stretch, .fit: (width, height)
            // Decoders know only these two minima, and before a crop the longer side is resized to more than the size.
            // So there is room for pictures of up to 2:1; the longer side of wider pictures is enlarged a little.
            case .centerCrop: (width * 2, height * 2)
            }
        }
    }

    /// Returns the rectangle of the tensor in a picture; a part of it lies outside if black fills that part.
    package func extent(inPictureWithWidth width: Int, height: Int) -> UnitRectangle {
        let size = resize.size(ofPictureWithWidth: width, height: height)
        func edges(_ tensor: Int, _ resized: Int) -> (Float, Float) {
            let start = resize.start(ofTensorLength: tensor, in: resized)
            return (Float(start) / Float(resized), Float(start + tensor) / Float(resized))
        }
        let (across, down) = (edges(self.width, size.width), edges(self.height, size.height))
        return UnitRectangle(left: across.0, top: down.0, right: across.1, bottom: down.1)
    }

    /// A message about the first invalid entry, or nil if all entries are valid.
    package var fault: String? {
        guard !name.isEmpty else { return "input.name must not be empty" }
        guard (1...4096).contains(width), (1...4096).contains(height) else {
            return "input.width and input.height must be from 1 to 4096"
        }
        guard (width...8192).contains(resize.width), (height...8192).contains(resize.height) else {
            return "input.resize must be no smaller than the input and at most 8192"
        }
        guard mean.count == 3, scale.count == 3, (mean + scale).allSatisfy({ $0.isFinite && abs($0) <= 1e6 }) else {
            return "input.mean and input.scale must be three finite numbers each"
        }
        // Every picture would be the same to the model.
        guard scale.contains(where: { $0 != 0 }) else { return "input.scale must not be 0 for every colour" }
        return nil
    }
}

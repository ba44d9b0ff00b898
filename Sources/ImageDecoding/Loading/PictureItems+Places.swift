// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ViewerAgreement

extension PictureItems {
    /// Returns where `PictureLoader` finds each picture; empty if the file has only a sequence or a video.
    ///
    /// - Throws: `ambiguousRendering` if libheif finds another number of pictures, or for colours that cannot be
    ///   converted here.
    func places(in file: InputFile) throws(DecodingFailure) -> [PictureLoader.Place] {
        var profiles: [[UInt8]] = []
        for points in colours {
            guard let implied = RGBProfile.profiles(for: points) else {
                throw DecodingFailure(.unknownColours(points.primaries, points.transfer))
            }
            profiles += implied.map(\.bytes)
        }
        guard hasPictures else { return [] }
        let count = try VipsPicture.open(file, readable, with: .heif(page: nil)).pageCount
        let meaning = ColourMeaning(impliedProfiles: profiles, isPremultiplied: isPremultiplied)
        return try looks(count: count).flatMap { part in
            (0..<count).flatMap { number in
                (layers.isEmpty ? [nil] : layers.map(Optional.some)).map { layer in
                    .item(
                        count == 1 ? nil : number, part, meaning, tileSizes: tileSizes,
                        rows: count == 1 ? tileRows : nil,
                        layer: layer)
                }
            }
        }
    }
}

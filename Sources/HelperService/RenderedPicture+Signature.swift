// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

extension RenderedPicture {
    /// The averages of all views, to compare pictures with each other.
    package var signature: FrameSignature {
        let bands = PixelImage.bytesPerPixel
        let side = FrameSignature.side
        var averages: [UInt16] = []
        var details: [UInt16] = []
        averages.reserveCapacity(views.count * bands * FrameSignature.blockCount)
        details.reserveCapacity(views.count * bands * FrameSignature.blockCount)
        for view in views {
            for band in 0..<bands {
                for row in 0..<side {
                    let y = Blocks.range(row, of: side, in: height)
                    for column in 0..<side {
                        let x = Blocks.range(column, of: side, in: width)
                        var sum = 0
                        var change = 0
                        for line in y {
                            var previous: Int?
                            for place in x {
                                let level = Int(view[(line * width + place) * bands + band])
                                sum += level
                                change += abs(level - (previous ?? level))
                                previous = level
                            }
                        }
                        averages.append(UInt16((sum << 6) / (x.count * y.count)))
                        details.append(UInt16((change << 6) / (x.count * y.count)))
                    }
                }
            }
        }
        return FrameSignature(averages: averages, details: details)
    }
}

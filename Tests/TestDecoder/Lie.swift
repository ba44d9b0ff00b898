// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import FileAccess
import HelperProtocol

/// A reply that cannot be true.
enum Lie: String {
    case garbage, wide, huge
    case otherKind = "other-kind"
    case otherSerial = "other-serial"
    case zeroWidth = "zero-width"
    case narrowRows = "narrow-rows"
    case wideRows = "wide-rows"
    case noViews = "no-views"
    case manyViews = "many-views"
    case overReduced = "over-reduced"
    case underReduced = "under-reduced"
    case attachment
}

extension Puppet {
    func tell(_ lie: Lie, _ serial: UInt64) throws {
        switch lie {
        case .garbage: try socket.send([1, 2, 3])
        case .otherKind: try socket.send(HelperReply.testPatterns([]).encoded(answering: serial))
        case .otherSerial: try answerPicture(serial &+ 1)
        case .zeroWidth: try answerPicture(serial, Shape(width: 0))
        case .wide: try answerPicture(serial, Shape(width: 5, bytesPerRow: 15))
        case .huge:
            try answerPicture(serial, Shape(width: .max, height: .max, bytesPerRow: .max, original: .max))
        case .narrowRows: try answerPicture(serial, Shape(bytesPerRow: 3))
        case .wideRows: try answerPicture(serial, Shape(bytesPerRow: 4 << 20))
        case .noViews: try answerPicture(serial, Shape(viewCount: 0))
        case .manyViews: try answerPicture(serial, Shape(viewCount: 200))
        case .overReduced: try answerPicture(serial, Shape(original: 4000))
        case .underReduced:
            try answerPicture(serial, Shape(width: 60_000, height: 60_000, bytesPerRow: 180_000, original: 60_000))
        // The attachment is the null device, which is the standard input of the decoder.
        case .attachment: try answerPicture(serial, with: OwnedDescriptor(0))
        }
    }
}

// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The tags of an FLV file, for tests that cut and join files in ways that ffmpeg does not support.
///
/// Source: "Adobe Flash Video File Format Specification", version 10.1, annex E.
package struct FLVTags {
    package struct Tag {
        /// All bytes of the tag: its header, its data and the size that follows them.
        package var bytes: Data
        /// The timestamp, in milliseconds.
        package var time: Int {
            get { Int(bytes[7]) << 24 | Int(bytes[4]) << 16 | Int(bytes[5]) << 8 | Int(bytes[6]) }
            set {
                bytes[7] = UInt8(newValue >> 24 & 255)
                for place in 0..<3 { bytes[4 + place] = UInt8(newValue >> (16 - place * 8) & 255) }
            }
        }
        package var isPicture: Bool { bytes[0] == 9 }
        /// Whether the tag only marks the end of the stream.
        package var isEnd: Bool { bytes.count > 12 && bytes[12] == 2 }
    }

    package let header: Data
    package var tags: [Tag] = []

    package init(_ file: Data) {
        let bytes = Data(file)
        header = bytes.prefix(13)
        var position = 13
        while position + 15 <= bytes.count {
            let size = Int(bytes[position + 1]) << 16 | Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            let end = min(bytes.count, position + 15 + size)
            tags.append(Tag(bytes: Data(bytes[position..<end])))
            position = end
        }
    }

    package var data: Data { tags.reduce(header) { $0 + $1.bytes } }
}

// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The boxes of an MP4 file as a tree, for tests that write files as no program would.
///
/// ffmpeg writes the movie box behind the media data, so a change of its size moves no samples.
package struct MP4Tree {
    package struct Box {
        package var name: String
        /// The bytes before the child boxes, or the whole content of a box without child boxes.
        package var content: Data
        package var children: [Box]

        package init(_ name: String, _ content: Data = Data(), _ children: [Box] = []) {
            self.name = name
            self.content = content
            self.children = children
        }

        package var data: Data {
            let content = children.reduce(content) { $0 + $1.data }
            return Data(Self.bytes(content.count + 8)) + Data(name.utf8) + content
        }

        static func bytes(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }

        /// The first child box with a name.
        package subscript(name: String) -> Box {
            get { children.first { $0.name == name }! }
            set { children[children.firstIndex { $0.name == name }!] = newValue }
        }
    }

    package var boxes: [Box]

    package init(_ file: Data) { boxes = Self.boxes(in: Data(file)) }

    package var data: Data { boxes.reduce(Data()) { $0 + $1.data } }

    /// The movie box (`moov`).
    package var movie: Box {
        get { boxes.first { $0.name == "moov" }! }
        set { boxes[boxes.firstIndex { $0.name == "moov" }!] = newValue }
    }

    /// The track boxes of the movie, in their order.
    package var tracks: [Box] {
        get { movie.children.filter { $0.name == "trak" } }
        set {
            let place = movie.children.firstIndex { $0.name == "trak" }!
            movie.children.removeAll { $0.name == "trak" }
            movie.children.insert(contentsOf: newValue, at: place)
        }
    }

    /// Makes a handler box of a kind, for example `soun`.
    package static func handler(_ kind: String) -> Box {
        Box("hdlr", Data(count: 8) + Data(kind.utf8) + Data(count: 12) + Data("h\0".utf8))
    }

    private static let containers: Set = [
        "moov", "trak", "mdia", "minf", "stbl", "edts", "dinf", "mvex", "moof", "traf",
    ]

    private static func boxes(in data: Data) -> [Box] {
        var boxes: [Box] = []
        var position = 0
        func number(at place: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(data[place + $1]) } }
        while position + 8 <= data.count {
            let size = number(at: position)
            let name = String(decoding: data[(position + 4)..<(position + 8)], as: UTF8.self)
            let content = Data(data[(position + 8)..<(position + size)])
            if containers.contains(name) {
                boxes.append(Box(name, Data(), self.boxes(in: content)))
            } else if name == "stsd" {
                boxes.append(Box(name, content.prefix(8), self.boxes(in: Data(content.dropFirst(8)))))
            } else {
                boxes.append(Box(name, content))
            }
            position += size
        }
        return boxes
    }
}

// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A stream that is made to hide a picture: its harmless frames contain what a comparison could take for the picture.
struct Deception: Sendable {
    /// The content of the harmless frames, and the relation of the hidden picture to it.
    enum Kind: String, CaseIterable, Sendable {
        /// Random cells, new in each frame; the picture is mixed with them.
        case flicker
        /// Random cells that stay; the picture is mixed with them.
        case noise
        /// Black and white cells; the share of white cells draws the picture.
        case halftone
        /// Light and dark cells in turn; the picture makes all of them lighter or darker.
        case checkerboard
        /// Light and dark cells in turn; the picture is their contrast.
        case contrast
        /// Stripes with lines as fine as a pixel; the picture replaces them at less than half its contrast.
        case stripes
        /// Streaks that fall over an even background; the picture replaces the background.
        case rain
        /// The mosaic of the picture.
        case mosaic
        /// The mosaic of the picture under noise.
        case noisyMosaic
        /// The picture with its blocks in other places nearby.
        case exchange
    }

    let kind: Kind
    let photo: Photograph
    /// The edge of a cell in pixels of a frame.
    let cell: Int
    /// The distance by which blocks are moved, in cells.
    let distance: Int
    /// The part of the frame that hides the picture.
    let columns: Range<Int>
    let rows: Range<Int>
    let seed: UInt64

    init(_ kind: Kind, _ photo: Photograph, _ generator: inout SplitMix64) {
        (self.kind, self.photo) = (kind, photo)
        let cells: [Int] =
            switch kind {
            // A finer mosaic shows the picture itself.
            case .mosaic, .noisyMosaic: [16, 20, 30, 40, 60]
            case .exchange: [15, 20, 30, 40]
            default: [2, 4, 5, 8, 10, 15, 20, 30, 45]
            }
        cell = cells[Int(generator.next() % UInt64(cells.count))]
        distance = 1 + Int(generator.next() % UInt64(max(1, 50 / cell)))
        (columns, rows) = Self.area(&generator)
        seed = generator.next()
    }

    /// Returns the whole frame, or a part of it from a fifth of the shorter side on.
    private static func area(_ generator: inout SplitMix64) -> (columns: Range<Int>, rows: Range<Int>) {
        func unit() -> Double { Double(generator.next() >> 11) / Double(1 << 53) }
        guard unit() < 0.6 else { return (0..<Canvas.width, 0..<Canvas.height) }
        let height = Int(Double(Canvas.height) * (0.2 + 0.25 * unit())),
            width = Int(Double(height) * (0.8 + 0.6 * unit()))
        let (left, top) = (Int(unit() * Double(Canvas.width - width)), Int(unit() * Double(Canvas.height - height)))
        return (left..<(left + width), top..<(top + height))
    }

    /// Returns by how many levels of luma the hidden picture changes its area in the mean.
    func contrast(_ number: Int) -> Double {
        let (harmless, altered) = (frame(number, isAltered: false), frame(number, isAltered: true))
        let sum = harmless.samples.indices.prefix(Canvas.width * Canvas.height).reduce(0) {
            $0 + abs(Int(harmless.samples[$1]) - Int(altered.samples[$1]))
        }
        return Double(sum) / Double(columns.count * rows.count)
    }

    /// Draws a frame of the stream, with or without the hidden picture.
    func frame(_ number: Int, isAltered: Bool) -> Canvas {
        var canvas = Canvas()
        let size = Canvas.width * Canvas.height
        canvas.samples.withUnsafeMutableBufferPointer { samples in
            for y in 0..<Canvas.height {
                for x in 0..<Canvas.width {
                    let isAltered = isAltered && columns.contains(x) && rows.contains(y)
                    samples[y * Canvas.width + x] = UInt8(
                        min(255, max(0, level(0, x, y, number, isAltered: isAltered))))
                    guard x % 2 == 0, y % 2 == 0 else { continue }
                    for plane in 1...2 {
                        samples[size * (3 + plane) / 4 + y / 2 * Canvas.width / 2 + x / 2] = UInt8(
                            min(255, max(0, level(plane, x, y, number, isAltered: isAltered))))
                    }
                }
            }
        }
        var noise = SplitMix64(state: seed &* 1_000_003 &+ UInt64(number))
        canvas.addNoise(&noise)
        return canvas
    }

    private func level(_ plane: Int, _ x: Int, _ y: Int, _ number: Int, isAltered: Bool) -> Int {
        let hidden = picture(plane, x, y)
        switch kind {
        case .mosaic, .noisyMosaic:
            let noise = kind == .noisyMosaic && plane == 0 ? random(x / 5, y / 5, number) % 41 - 20 : 0
            return (isAltered ? hidden : picture(plane, x / cell * cell + cell / 2, y / cell * cell + cell / 2)) + noise
        case .exchange:
            guard !isAltered else { return hidden }
            let (column, row) = (x / cell, y / cell)
            let across = column / distance % 2 == 0 ? distance : -distance
            let down = row / distance % 2 == 0 ? distance : -distance
            return picture(plane, x + across * cell, y + down * cell)
        case .flicker, .noise, .halftone, .checkerboard, .contrast, .stripes, .rain: break
        }
        guard plane == 0 else { return 128 }
        switch kind {
        case .flicker: return mixed(random(x / cell, y / cell, number), hidden, isAltered)
        case .noise: return mixed(random(x / cell, y / cell, 0), hidden, isAltered)
        case .halftone: return random(x / cell, y / cell, 0) < (isAltered ? hidden : 128) ? 235 : 16
        case .checkerboard:
            let isLight = (x / cell + y / cell) % 2 == 0
            return (isLight ? 192 : 64) + (isAltered ? (hidden - 128) / 2 : 0)
        case .contrast:
            let isLight = (x / cell + y / cell) % 2 == 0
            let half = isAltered ? hidden / 2 : 64
            return isLight ? 128 + half : 128 - half
        case .stripes:
            let line = x % 2 == 0 && y / 40 % 2 == 0 ? 16 : 0
            return isAltered ? 128 + (hidden - 128) * 45 / 100 : (y / cell % 2 == 0 ? 218 : 38) + line
        default:
            let streak = random(x / cell, 0, 0), phase = (y + streak * 7 + number * 24) % 97
            if streak % 3 == 0, phase < 60 { return 220 }
            return isAltered ? hidden : 110
        }
    }

    private func mixed(_ level: Int, _ hidden: Int, _ isAltered: Bool) -> Int {
        isAltered ? (level + hidden) / 2 : level
    }

    private func picture(_ plane: Int, _ x: Int, _ y: Int) -> Int {
        let scale = plane == 0 ? Photograph.width : Photograph.width / 2
        return photo.level(plane, x * scale / Canvas.width, y * scale / Canvas.width)
    }

    private func random(_ x: Int, _ y: Int, _ number: Int) -> Int {
        var value = SplitMix64(
            state: seed &+ UInt64(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663 ^ number &* 83_492_791))
        return Int(value.next() >> 56)
    }
}

// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import TestSupport

/// A photograph of 1600 × 900 pixels in I420.
struct Photograph: Sendable {
    static let width = 1600
    static let height = 900
    private let samples: [UInt8]

    init(_ path: String) throws {
        samples = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        guard samples.count == Self.width * Self.height * 3 / 2 else { throw CocoaError(.fileReadCorruptFile) }
    }

    /// Returns a sample of a plane; positions outside are moved to the edge.
    func level(_ plane: Int, _ x: Int, _ y: Int) -> Int {
        let (width, height) = plane == 0 ? (Self.width, Self.height) : (Self.width / 2, Self.height / 2)
        let start = plane == 0 ? 0 : Self.width * Self.height * (3 + plane) / 4
        return Int(samples[start + min(height - 1, max(0, y)) * width + min(width - 1, max(0, x))])
    }
}

/// A frame of 640 × 360 pixels in I420.
struct Canvas {
    static let width = 640
    static let height = 360
    var samples = [UInt8](repeating: 0, count: width * height * 3 / 2)

    /// Draws a photograph into an area, with soft edges and opacity.
    ///
    /// - Parameters:
    ///   - opacity: the opacity of each pixel of the area, from 0 to 1.
    ///   - place: the place in the photograph for a pixel of the area.
    mutating func draw(
        _ photo: Photograph, x: Range<Int>, y: Range<Int>, brighter: Int = 0, opacity: (Int, Int) -> Double,
        from place: (Int, Int) -> (Int, Int)
    ) {
        let (columns, rows) = (x.clamped(to: 0..<Self.width), y.clamped(to: 0..<Self.height))
        samples.withUnsafeMutableBufferPointer { samples in
            for row in rows {
                for column in columns {
                    let share = opacity(column, row)
                    guard share > 0 else { continue }
                    let from = place(column, row)
                    func mix(_ index: Int, _ level: Int) {
                        samples[index] = UInt8(
                            Double(samples[index]) * (1 - share) + Double(min(255, max(0, level))) * share)
                    }
                    mix(row * Self.width + column, photo.level(0, from.0, from.1) + brighter)
                    guard row % 2 == 0, column % 2 == 0 else { continue }
                    let color = row / 2 * Self.width / 2 + column / 2
                    for plane in 1...2 {
                        mix(
                            Self.width * Self.height * (3 + plane) / 4 + color,
                            photo.level(plane, from.0 / 2, from.1 / 2))
                    }
                }
            }
        }
    }

    /// Draws an ellipse with a soft edge.
    mutating func drawEllipse(
        _ photo: Photograph, _ center: (Double, Double), _ radius: (Double, Double), shift: Int = 0, brighter: Int = 0
    ) {
        let x = Int(center.0 - radius.0 - 3)..<Int(center.0 + radius.0 + 4)
        let y = Int(center.1 - radius.1 - 3)..<Int(center.1 + radius.1 + 4)
        draw(photo, x: x, y: y, brighter: brighter) { column, row in
            let (dx, dy) = ((Double(column) - center.0) / radius.0, (Double(row) - center.1) / radius.1)
            let inside = (1 - (dx * dx + dy * dy).squareRoot()) * min(radius.0, radius.1)
            return min(1, max(0, (inside + 1.5) / 3))
        } from: { column, row in
            (700 + Int(Double(column) - center.0) + shift, 400 + Int(Double(row) - center.1))
        }
    }

    /// Adds the noise of a sensor.
    mutating func addNoise(_ generator: inout SplitMix64) {
        var bits: UInt64 = 0
        samples.withUnsafeMutableBufferPointer { samples in
            for index in samples.indices {
                if index % 8 == 0 { bits = generator.next() }
                let noise = (Int(bits & 15) + Int(bits >> 4 & 15) - 15) * 3 / 8
                bits >>= 8
                samples[index] = UInt8(min(255, max(0, Int(samples[index]) + noise)))
            }
        }
    }

    var pixels: VideoPixels {
        let storage = ArrayPixelStorage(samples)
        let size = Self.width * Self.height
        return VideoPixels(
            format: .i420Video, width: Self.width, height: Self.height,
            planes: [0, size, size * 5 / 4].enumerated().map { index, offset in
                VideoPixels.Plane(
                    storage: storage, offset: offset, bytesPerRow: index == 0 ? Self.width : Self.width / 2)
            })!
    }
}

/// The motion of a stream.
enum Motion: String, CaseIterable, Sendable {
    /// A still camera before a moving person.
    case call
    /// A camera that turns.
    case pan
    /// A camera in a hand before a moving person.
    case shake
}

/// A stream whose frames depend on their numbers alone.
struct Clip: Sendable {
    let motion: Motion
    let background: Photograph
    let person: Photograph
    let seed: UInt64

    func frame(_ number: Int) -> Canvas {
        var generator = SplitMix64(state: seed)
        func unit() -> Double { Double(generator.next() >> 11) / Double(1 << 53) }
        let phases = (0..<3).map { _ in unit() * 2 * .pi }
        var (left, top) = (Int(unit() * 900), Int(unit() * 500))
        let time = Double(number) / 30
        switch motion {
        case .call: break
        case .pan:
            let position = (Double(number) * (3 + unit() * 12)).truncatingRemainder(dividingBy: 1800)
            left = Int(position < 900 ? position : 1800 - position)
        case .shake:
            left = 300 + Int(60 * sin(time * 0.7 + phases[0]) + 12 * sin(time * 9 + phases[1]) + 6 * sin(time * 23))
            top = 200 + Int(30 * sin(time * 0.9 + phases[2]) + 10 * sin(time * 11 + phases[0]) + 5 * sin(time * 19))
        }
        (left, top) = (left & ~1, top & ~1)
        var canvas = Canvas()
        let light = Int((2.5 * sin(time * 1.3 + phases[1])).rounded())
        canvas.draw(
            background, x: 0..<Canvas.width, y: 0..<Canvas.height, brighter: light, opacity: { _, _ in 1 },
            from: { ($0 + left, $1 + top) })
        if motion != .pan { drawPerson(on: &canvas, time, phases) }
        var noise = SplitMix64(state: seed &* 1_000_003 &+ UInt64(number))
        canvas.addNoise(&noise)
        return canvas
    }

    private func drawPerson(on canvas: inout Canvas, _ time: Double, _ phases: [Double]) {
        let x = 320 + 25 * sin(time * 1.9 + phases[0]) + 8 * sin(time * 6.9 + phases[1])
        let y = 150 + 10 * sin(time * 3.1 + phases[2])
        canvas.drawEllipse(person, (x, y), (60, 80), shift: Int(20 * sin(time * 4.4 + phases[0])))
        canvas.drawEllipse(person, (x * 0.6 + 128, 360), (150, 130), shift: Int(8 * sin(time * 1.9)), brighter: 30)
        let speech = 3 + 6 * abs(sin(time * 25) * sin(time * 3 + phases[0]))
        canvas.drawEllipse(person, (x, y + 45), (18, speech), shift: 5, brighter: -60)
        // A hand waves for an eighth of the time.
        if Int(time + phases[0] * 3) % 8 == 3 {
            let hand = (460 + 90 * sin(time * 9.4), 200 + 20 * sin(time * 5))
            canvas.drawEllipse(person, hand, (28, 34), shift: 40, brighter: 20)
        }
    }
}

/// A picture that is drawn over some frames of a stream.
struct Insertion: Sendable {
    let frames: Range<Int>
    let opacity: Double
    private let photo: Photograph
    private let width: Int
    private let height: Int
    private let start: (Double, Double)
    private let speed: (Double, Double)

    /// - Parameter isBrief: whether the picture is shown for one to three frames, instead of 40 ms to 2 s.
    init(at frame: Int, _ photo: Photograph, isBrief: Bool, _ generator: inout SplitMix64) {
        func unit() -> Double { Double(generator.next() >> 11) / Double(1 << 53) }
        let length = max(1, Int((0.04 * pow(50, unit()) * 30).rounded()))
        frames = frame..<(frame + (isBrief ? 1 + Int(generator.next() % 3) : length))
        self.photo = photo
        let (isSmall, isFaint) = (unit() < 0.6, unit() < 0.6)
        opacity = !isFaint ? 1 : isSmall ? 0.25 + 0.25 * unit() : 0.15 + 0.25 * unit()
        height = isSmall ? Int(Double(Canvas.height) * (0.2 + 0.25 * unit())) : Canvas.height
        width = isSmall ? Int(Double(height) * (0.8 + 0.6 * unit())) : Canvas.width
        start = (unit() * Double(Canvas.width - width), unit() * Double(Canvas.height - height))
        let moves = isSmall && unit() < 0.5
        speed = moves ? (unit() * 8 - 4, unit() * 8 - 4) : (0, 0)
    }

    /// Returns by how many levels of luma the insertion changes its area in the mean.
    func contrast(on canvas: Canvas, _ number: Int) -> Double {
        var changed = canvas
        draw(on: &changed, number)
        let size = Canvas.width * Canvas.height
        let sum = (0..<size).reduce(0) { $0 + abs(Int(changed.samples[$1]) - Int(canvas.samples[$1])) }
        return Double(sum) / Double(width * height)
    }

    /// The least contrast of an insertion in which a picture can be recognised.
    static let leastContrast = 8.0

    func draw(on canvas: inout Canvas, _ number: Int) {
        let step = Double(number - frames.lowerBound)
        let (left, top) = (Int(start.0 + speed.0 * step), Int(start.1 + speed.1 * step))
        canvas.draw(
            photo, x: left..<(left + width), y: top..<(top + height), opacity: { _, _ in opacity },
            from: { (($0 - left) * Photograph.width / width, ($1 - top) * Photograph.height / height) })
    }
}

import InterventionKit

struct CoverView {
    let samples: CoverSamples

    func draw() {
        for row in 0..<samples.height {
            let signs = (0..<samples.width).map { column in
                let position = (row * samples.width + column) * 3
                let brightness = samples.colors[position..<position + 3].reduce(0) { $0 + Int($1) } / 3
                return ["##", "**", "--", "  "][brightness / 64]
            }
            print("  \(signs.joined())")
        }
    }
}

import Foundation

enum Keyboard {
    /// The next line, or nil at the end; a thread of its own waits for it.
    static func line() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: readLine()) }
        }
    }
}

import Foundation

enum Keyboard {
    /// Calls the closure with the next line, or with nil at the end.
    static func nextLine(_ body: @escaping @Sendable (String?) -> Void) {
        Thread.detachNewThread { body(readLine()) }
    }
}

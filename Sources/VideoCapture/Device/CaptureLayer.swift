// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The calls to an open capture device, which tests replace.
///
/// The names and the order of calls are those of Video4Linux2. All numbers that come back are checked by the caller: a
/// driver may be wrong, and a loopback device passes on the numbers of another program.
package protocol CaptureLayer: Sendable {
    /// Returns whether the device captures video and streams buffers.
    func capturesVideo() throws(CaptureLayerError) -> Bool

    /// Returns the code of the format with this number; nil after the last one.
    func pixelFormat(at index: Int) throws(CaptureLayerError) -> UInt32?

    /// Sets the format, and returns the format that the driver has chosen.
    func setFormat(_ wanted: CaptureFormat) throws(CaptureLayerError) -> CaptureFormat

    /// Returns the format in force.
    func currentFormat() throws(CaptureLayerError) -> CaptureFormat

    /// Sets the time of a frame, and returns the time that the driver has chosen; nil if it does not say.
    func setInterval(_ wanted: Duration) -> Duration?

    /// Makes about this number of buffers, maps them, and returns their lengths in bytes.
    func makeBuffers(_ count: Int) throws(CaptureLayerError) -> [Int]

    /// Gives a buffer to the driver.
    func queue(_ index: Int) throws(CaptureLayerError)

    func start() throws(CaptureLayerError)

    /// Waits for a filled buffer, for a tenth of a second at most, and takes it; nil if there is none.
    func takeBuffer() throws(CaptureLayerError) -> FilledBuffer?

    /// Calls the closure with the bytes of a buffer.
    func withBytes<Result>(of index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result

    /// Ends the capture, and gives the buffers back.
    func stop()
}

/// An error of a system call, with its errno value.
package struct CaptureLayerError: Error, Equatable {
    package var number: Int32

    package init(_ number: Int32) {
        self.number = number
    }
}

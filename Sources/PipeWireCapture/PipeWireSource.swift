// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPipeWireShims
internal import CSandboxShims
internal import Glibc
internal import HelperProtocol

/// The program that captures the video of a node of PipeWire for its host.
///
/// No app loads PipeWire's library into its own process. What this program writes is decoded in a closed process, like
/// every other stream.
package enum PipeWireSource {
    /// Captures until the node goes away, the host reads no more, or something fails; the exit code says which.
    package static func run(arguments: [String]) -> Never {
        guard let request = NodeCaptureRequest(arguments: arguments),
            fcntl(NodeCaptureRequest.outputDescriptor, F_GETFD) >= 0
        else {
            let explanation = "This program is started by the SensitiveContentAnalysis library, not by hand.\n"
            _ = unsafe explanation.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
            exit(64)
        }
        keepNeededEnvironment()
        CSandboxShims_close_descriptors_from(
            request.hasRemote ? NodeCaptureRequest.remoteDescriptor + 1 : NodeCaptureRequest.remoteDescriptor)
        guard unsafe chdir("/") == 0, CSandboxShims_forbid_new_privileges() == 0 else {
            exit(NodeCaptureEnding.streamFailed.rawValue)
        }
        signal(SIGPIPE, SIG_IGN)
        exit(capture(request))
    }

    /// Removes all variables but those that say where PipeWire is: others name files and modules to load.
    private static func keepNeededEnvironment() {
        let kept = NodeCaptureRequest.environmentNames.compactMap { name in
            unsafe getenv(name).map { (name, unsafe String(cString: $0)) }
        }
        guard clearenv() == 0 else { exit(NodeCaptureEnding.streamFailed.rawValue) }
        for (name, value) in kept { _ = unsafe setenv(name, value, 1) }
    }

    private static func capture(_ request: NodeCaptureRequest) -> Int32 {
        let output = FrameOutput(NodeCaptureRequest.outputDescriptor)
        return unsafe request.target.withCString { target in
            var wish = unsafe CPipeWireShims_Request()
            unsafe wish.remote = request.hasRemote ? NodeCaptureRequest.remoteDescriptor : -1
            unsafe wish.target = target
            unsafe wish.limits = CPipeWireShims_Limits(
                max_edge: UInt32(request.maximumEdge), max_pixels: UInt64(request.maximumPixelCount))
            unsafe wish.seconds_to_first_frame = secondsToFirstFrame
            unsafe wish.is_for_other_player = request.isForOtherPlayer
            unsafe wish.output = NodeCaptureRequest.outputDescriptor
            unsafe wish.ready = { _ in PipeWireSource.closeSandbox() }
            unsafe wish.receive = { context, frame in
                guard let context = unsafe context, let frame = unsafe frame else { return 1 }
                let output = unsafe Unmanaged<FrameOutput>.fromOpaque(context).takeUnretainedValue()
                return unsafe output.write(frame.pointee) ? 0 : 1
            }
            return withExtendedLifetime(output) {
                unsafe wish.context = Unmanaged.passUnretained(output).toOpaque()
                return unsafe CPipeWireShims_capture(&wish)
            }
        }
    }

    /// Gives up files, programs and new connections, as far as the kernel can take them away.
    ///
    /// PipeWire has loaded its parts, and the rest comes over the connection that it has.
    private static func closeSandbox() -> Int32 {
        guard CSandboxShims_bind_other_threads(newestLandlock, 1) == 0,
            CSandboxShims_drop_capabilities() == 0,
            CSandboxShims_forbid_inspection(mostDescriptors, secondsOfProcessor) == 0
        else { return 1 }
        // Kernels without Landlock say so; the filter refuses files there as well.
        let version = CSandboxShims_restrict_with_landlock(newestLandlock, 0)
        guard version > 0 || [-ENOSYS, -EOPNOTSUPP].contains(version) else { return 1 }
        return CSandboxShims_forbid_programs_and_connections(1)
    }

    /// A session manager links a node within tenths of a second, and a camera may need seconds to start.
    private static let secondsToFirstFrame: UInt32 = 10
    private static let newestLandlock: Int32 = 6
    /// More than sixty-four buffers of four blocks need.
    private static let mostDescriptors: UInt32 = 512
    /// The processor time of a program that was taken over and outlives its host.
    private static let secondsOfProcessor: UInt64 = 30 * 24 * 60 * 60
}

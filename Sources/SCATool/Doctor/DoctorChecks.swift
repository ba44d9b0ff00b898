// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess
internal import Foundation
internal import Glibc
internal import HelperHost
internal import HelperProtocol
internal import ModelStore
internal import SensitivityPolicy

/// The checks of `sca doctor`; each check returns its finding, or throws the remedy.
struct DoctorChecks {
    let authority: AnalysisAuthority
    let snapshot: PolicySnapshot
    /// Whether the person asks about one app.
    let isAboutApp: Bool

    private var paths: InstallationPaths { authority.paths }

    struct Check {
        let name: String
        /// The names of the checks without whose success this check has nothing to say.
        var needs: [String] = []
        let run: () async throws -> String
    }

    private static let (imageDecoder, videoDecoder) = ("image decoder", "video decoder")
    private static let (modelName, inferenceName) = ("model \(InstalledModels.defaultModelName)", "OpenVINO")

    var all: [Check] {
        [
            Check(name: "version") { PackageVersion.current },
            Check(name: Self.imageDecoder) { try await decoder(HelperKind.imageDecoder.executableName) },
            Check(name: Self.videoDecoder) { try await decoder(HelperKind.videoDecoder.executableName) },
            Check(name: "sandbox of the image decoder", needs: [Self.imageDecoder]) {
                try await sandbox(HelperKind.imageDecoder.executableName)
            },
            Check(name: "sandbox of the video decoder", needs: [Self.videoDecoder]) {
                try await sandbox(HelperKind.videoDecoder.executableName)
            },
            Check(name: Self.modelName, run: model),
            Check(name: Self.inferenceName, needs: [Self.modelName], run: inference),
            Check(name: "sandbox of the model", needs: [Self.modelName, Self.inferenceName], run: sandboxOfModel),
            Check(name: "compiled copy of the model", needs: [Self.modelName, Self.inferenceName], run: compiledCopy),
            Check(name: "Core ML importer", run: importer),
            Check(name: "encoder of copies") {
                try await optional(HelperKind.mediaEncoder.executableName, for: "sca copy")
            },
            Check(name: "PipeWire source") {
                Self.path(of: .captureProgram(in: paths.helpers), for: "sca watch pipewire:")
            },
            Check(
                name: "analysis of the test pattern",
                needs: [Self.imageDecoder, Self.modelName, Self.inferenceName], run: analysis),
            Check(name: "policy", run: policy),
            Check(name: "test mode") {
                authority.findsTestPatterns ? "on: the test pattern counts as sensitive" : "off"
            },
        ] + (isAboutApp ? [Check(name: "entitlement of \(snapshot.app.name)", run: entitlement)] : [])
    }

    private func policy() throws -> String {
        if case .refused(let reason) = snapshot.administratorFile {
            throw AnalysisFailure(
                .analysisDisabled,
                "\(PolicySources.administratorFile) is not obeyed, so everything counts as on: it"
                    + " \(TerminalText.printable(reason)).")
        }
        if case .unanswered(let reason) = snapshot.parentalControls {
            throw AnalysisFailure(
                .analysisDisabled,
                "The parental controls do not answer, so everything counts as on; see 'sca policy"
                    + " show'. \(TerminalText.printable(reason))")
        }
        if case .refused(let reason)? = snapshot.userFile {
            throw AnalysisFailure(
                .analysisDisabled,
                "Your settings cannot be used, so they count as on: settings.json"
                    + " \(TerminalText.printable(reason)).")
        }
        let text = PolicyText(snapshot: snapshot, isAboutApp: isAboutApp, userFile: nil)
        return "\(PolicyText.name(of: text.policy)); where it comes from: sca policy show"
    }

    private func entitlement() throws -> String {
        switch snapshot.entitlement {
        case .present(let file): return TerminalText.printable(file)
        case .missing(let reason):
            return "none. An app that demands a policy needs none; without a demand it judges nothing."
                + " \(TerminalText.printable(reason))"
        }
    }

    private func identity(_ executable: String) async throws -> HelperIdentity {
        let locator = HelperLocator(name: executable, folders: paths.helpers)
        return try await HelperPool(locator: locator, maximumCount: 1, settings: HelperSettings()).warmUp()
    }

    private func decoder(_ executable: String) async throws -> String {
        let path = try HelperLocator(name: executable, folders: paths.helpers).path()
        try requireHarmless(path)
        return "\(try await identity(executable).library), at \(path)"
    }

    /// Refuses to start a program that another account can change, for a question about an app.
    private func requireHarmless(_ path: String) throws(AnalysisFailure) {
        guard isAboutApp, !AdministratorOwned.holds(path), geteuid() == 0 || !PrivateFolder.isOwnFile(path) else {
            return
        }
        throw AnalysisFailure(
            .decoderUnavailable,
            "The app would start \(TerminalText.printable(path)), which is not started here, since another account can"
                + " change it. Run 'sca doctor' as the user of the app, or install the app's programs as root.")
    }

    private func sandbox(_ executable: String) async throws -> String {
        try Self.explained(try await identity(executable).sandbox)
    }

    private static func explained(_ report: SandboxReport) throws -> String {
        guard report.missingLayers.isEmpty else {
            throw AnalysisFailure(.decoderUnavailable, SandboxText.explanation(of: report))
        }
        return SandboxText.summary(of: report)
    }

    private func importer() throws -> String {
        let locator = HelperLocator(name: HelperKind.modelImporter.executableName, folders: paths.helpers)
        let place = Self.path(of: locator, for: "sca model import")
        guard let path = try? locator.path() else { return place }
        try requireHarmless(path)
        let report = try ModelImporter(folders: paths.helpers).identity().sandbox
        guard report.missingLayers.isEmpty else {
            throw AnalysisFailure(
                .decoderUnavailable, "The sandbox of the importer is incomplete. \(SandboxText.explanation(of: report))"
            )
        }
        return "\(place), with all layers of the sandbox"
    }

    /// Starts a program that is not necessary, and returns its place; or the command that needs it.
    private func optional(_ executable: String, for command: String) async throws -> String {
        let locator = HelperLocator(name: executable, folders: paths.helpers)
        guard let path = try? locator.path() else { return Self.path(of: locator, for: command) }
        try requireHarmless(path)
        let identity = try await identity(executable)
        _ = try Self.explained(identity.sandbox)
        return "\(identity.library), at \(path), with all layers of the sandbox"
    }

    /// Returns the path of a program that is not necessary, or the command that needs it.
    private static func path(of locator: HelperLocator, for command: String) -> String {
        (try? locator.path()).map { "at \($0)" } ?? "not installed; only '\(command)' needs it"
    }

    private func model() throws -> String {
        let model: InstalledModel
        do throws(AnalysisFailure) {
            model = try defaultModel()
            try model.verify()
        } catch {
            let explanation = ModelFault.explanation(
                of: error, model: InstalledModels.defaultModelName, in: paths.models)
            throw AnalysisFailure(error.code, explanation)
        }
        return "version \(TerminalText.printable(model.manifest.version)), its hash is correct, at \(model.folder)"
    }

    private var opening: ModelOpening { ModelOpening(paths: paths, isExclusive: authority.isProtected) }

    private func defaultModel() throws(AnalysisFailure) -> InstalledModel {
        try InstalledModels(folders: paths.models).model(named: InstalledModels.defaultModelName)
    }

    private func loadedModel() async throws -> HelperIdentity {
        try requireHarmless(
            try HelperLocator(name: HelperKind.modelRunner.executableName, folders: paths.helpers).path())
        return try await HelperPool(try launcher(), maximumCount: 1).warmUp()
    }

    private func launcher() throws -> ModelLauncher {
        let (opening, model) = (opening, try defaultModel())
        return ModelLauncher(paths: paths) { try opening.parts(of: model, laneCount: $0) }
    }

    private func inference() async throws -> String {
        let library = try await loadedModel().library
        let path = try HelperLocator(name: HelperKind.modelRunner.executableName, folders: paths.helpers).path()
        return "\(library), gives the known answers, run by \(path)"
    }

    private func sandboxOfModel() async throws -> String { try Self.explained(try await loadedModel().sandbox) }

    private func compiledCopy() async throws -> String {
        let model = try defaultModel()
        // The first start stores a compiled copy, if the account has a folder for it.
        _ = try await loadedModel()
        if let copy = opening.copy(of: model) {
            guard try !launcher().load().report.wasCompiled else {
                throw AnalysisFailure(
                    .modelUnavailable,
                    "The copy at \(copy.path) is damaged, so every start takes longer. Its owner removes it; an"
                        + " administrator runs 'sudo sca model compile' for a new one.")
            }
            return "\(copy.isInstalled ? "an administrator's" : "your own"), at \(copy.path)"
        }
        guard !authority.isProtected else {
            throw AnalysisFailure(
                .modelUnavailable,
                "There is none from an administrator that fits the model, OpenVINO and this processor, so every start takes"
                    + " longer. An administrator runs 'sudo sca model compile'.")
        }
        guard let cache = paths.cache else {
            throw AnalysisFailure(.modelUnavailable, "There is no home folder, so every start takes longer. Set HOME.")
        }
        throw AnalysisFailure(
            .modelUnavailable,
            "The compiled model cannot be kept in \(cache), so every start takes longer. Make room on the"
                + " disk, and the home folder if there is none. The folder and all in it must belong to you, and nobody else may write to them; remove it if"
                + " they do not.")
    }

    private func analysis() async throws -> String {
        let picture = TestPatternFormat.png.file(of: .sexuallyExplicit)
        let memory = try SealedMemory.copying(picture)
        let analysis = try await authority.engine(
            modelName: nil, decoders: HelperSettings()
        ).analyzePictures(AnalysisRequest(policy: .simple, findsTestPatterns: true)) { .memory(memory) }.get()
        guard analysis.detectedTypes == [.sexuallyExplicit] else {
            throw AnalysisFailure(.internalFailure, "The test pattern was not recognised. Build or install anew.")
        }
        return "recognised"
    }
}

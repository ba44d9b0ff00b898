// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NudityDetector

let usage = """
    usage: nudity-detector detect|upload|form FILE [MODEL LABEL]

    detect prints the confidence, upload decides like a server, form asks before it takes the photo.
    Without a model the default model is used.

    """
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 || arguments.count == 4 else {
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
}
let detector =
    arguments.count == 4
    ? NudityDetector(modelName: arguments[2], label: arguments[3])
    : NudityDetector(modelName: nil, label: "sexuallyExplicit")
let file = URL(fileURLWithPath: arguments[1])

do {
    switch arguments[0] {
    case "detect":
        print(String(format: "confidence %.3f", try await detector.confidence(forFileAt: file)))
    case "upload":
        switch await UploadGate(detector).decision(on: try Data(contentsOf: file)) {
        case .accepted: print("accepted")
        case .refused(let reason):
            print("refused: \(reason)")
            exit(1)
        case .unavailable(let reason):
            FileHandle.standardError.write(Data("Error: Uploads cannot be checked. \(reason)\n".utf8))
            exit(2)
        }
    case "form":
        let photo = try await PhotoForm(detector).photo(fromFileAt: file) { question in
            switch question {
            case .mayShowNudity: print("The photo may show nudity. Attach it all the same? [y/N] ", terminator: "")
            case .couldNotBeChecked(let reason):
                print("The photo could not be checked. \(reason) Attach it all the same? [y/N] ", terminator: "")
            }
            return readLine() == "y"
        }
        print(photo.map { "attached, \($0.count) bytes" } ?? "left out")
    default:
        FileHandle.standardError.write(Data(usage.utf8))
        exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("Error: \(error.localizedDescription)\n".utf8))
    exit(2)
}

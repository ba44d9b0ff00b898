// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hashing

/// The parts of the self-contained page of `sca analyze --report`, whose only script sorts and filters its entries.
///
/// The page loads nothing, and holds no pictures of the media with more than 9 × 9 samples.
enum ReportPage {
    static func head(_ counts: AnalysisCounts, date: Date = Date()) -> String {
        let totals = [
            (Verdict.sensitive, counts.sensitive), (.unknown, counts.unknown), (.notSensitive, counts.notSensitive),
        ]
        let links = totals.map { verdict, count in
            let words = "<b>\(count)</b> \(words(for: verdict))"
            return "<li>\(count > 0 ? "<a href=\"#\(verdict.rawValue)\">\(words)</a>" : words)</li>"
        }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
            script-src 'sha256-\(scriptDigest)'">
            <title>Analysis of media: \(counts.sensitive) sensitive of \(counts.total)</title>
            <style>
            \(style)</style>
            </head>
            <body>
            <header>
            <h1>Analysis of media</h1>
            <ul class="totals">
            \(links.joined(separator: "\n"))
            </ul>
            <p>\(MarkupText.escaped(counts.summary))</p>
            <p>Made on \(day(date)) by sca. Nothing has left this machine. A score is no probability; what cannot be
            analysed is unknown, which is not the same as harmless. Pictures are reduced to at most 9 × 9 samples. A dashed line is
            around a picture inside a picture, which was judged by itself.</p>
            </header>
            <main>
            <form id="controls" hidden>
            <label>Names that contain <input type="search" name="text" autocomplete="off"></label>
            <label>Order <select name="order"><option value="found">as found</option>
            <option value="score">highest score first</option><option value="name">name</option></select></label>
            <fieldset><legend>Show</legend>
            <label><input type="checkbox" name="sensitive" checked> sensitive</label>
            <label><input type="checkbox" name="unknown" checked> unknown</label>
            <label><input type="checkbox" name="not-sensitive" checked> not sensitive</label>
            </fieldset>
            <p id="shown" role="status"></p>
            </form>

            """
    }

    static func sectionHead(_ verdict: Verdict) -> String {
        let title = words(for: verdict)
        return """
            <section class="verdicts" id="\(verdict.rawValue)">
            <h2>\(title.prefix(1).uppercased() + title.dropFirst())</h2>
            <ol class="files">

            """
    }

    static let sectionFoot = "</ol>\n</section>\n"

    static var foot: String { "</main>\n<script>\(script)</script>\n</body>\n</html>\n" }

    static func words(for verdict: Verdict) -> String {
        switch verdict {
        case .sensitive: "sensitive"
        case .unknown: "unknown"
        case .notSensitive: "not sensitive"
        }
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }

    // These files have no licence header, because each page would contain it.
    static let style = String(decoding: PackageResources.report_css, as: UTF8.self)
    private static let script = "\n" + String(decoding: PackageResources.report_js, as: UTF8.self)

    /// The SHA-256 of the script in Base64, by which the page allows this script and no other.
    private static let scriptDigest: String = {
        guard var hash = try? SHA256() else { return "" }
        hash.update(Array(script.utf8))
        return ((try? hash.digest()).map { Data($0.bytes).base64EncodedString() }) ?? ""
    }()
}

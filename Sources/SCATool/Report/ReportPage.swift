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
            \(style)
            </style>
            </head>
            <body>
            <header>
            <h1>Analysis of media</h1>
            <ul class="totals">
            \(links.joined(separator: "\n"))
            </ul>
            <p>\(MarkupText.escaped(counts.summary))</p>
            <p>Made on \(day(date)) by sca. Nothing has left this machine. A score is no probability; what cannot be
            analysed is unknown, which is not the same as harmless. Pictures are reduced to at most 9 × 9 samples.</p>
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

    private static let style = """
        :root { color-scheme: light dark; }
        html { background: #fff; color: #111; } a { color: #0b4fa8; }
        @media (prefers-color-scheme: dark) { html { background: #121212; color: #eee; } a { color: #9ecbff; } }
        @media (max-width: 40rem) { svg text { font-size: 22px; } }
        body { font: 16px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; }
        h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 1.5rem 0 .3rem; }
        h3 { font-size: 1rem; font-weight: 600; margin: 0; overflow-wrap: anywhere; }
        p { margin: .2rem 0; overflow-wrap: anywhere; }
        .totals { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; list-style: none; padding: 0; font-size: 1.1rem; }
        .totals b { font-size: 1.6rem; }
        #controls:not([hidden]) { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; margin: 1rem 0; }
        fieldset { border: 1px solid #8888; border-radius: .3rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
        input, select { font: inherit; max-width: 100%; }
        .files { list-style: none; padding: 0; margin: 0; }
        .files > li { border-top: 1px solid #8884; padding: .4rem 0; }
        .verdict { display: inline-block; padding: 0 .4rem; border-radius: .3rem; color: #fff; font-weight: 600; }
        .sensitive { background: #a23243; } .not-sensitive { background: #2a6f4e; } .unknown { background: #7a5c00; }
        section.verdicts { background: none; }
        svg { width: 100%; height: auto; margin-top: .5rem; border-radius: .3rem; }
        .frames { display: flex; flex-wrap: wrap; gap: .5rem; margin: .5rem 0 0; padding: 0; list-style: none; }
        .frames li { font-size: .8rem; text-align: center; padding: 3px; }
        .frames img { width: 5rem; height: auto; image-rendering: pixelated; border-radius: .2rem; display: block; }
        .frames .found img { outline: 3px solid #a23243; }
        .frames .found { font-weight: 700; }
        .unseen { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
        @media print {
        :root { color-scheme: light; } html { background: #fff; color: #000; } #controls { display: none !important; }
        body { max-width: none; margin: 0; } .files > li { break-inside: avoid; }
        .verdict { background: none; color: #000; border: 1px solid #000; }
        .verdict.sensitive { border-width: 3px; font-weight: 800; }
        a { color: inherit; }
        }
        """

    private static let script = """

        const form = document.getElementById("controls");
        const lists = [...document.querySelectorAll("ol.files")].map(list => ({ list, items: [...list.children] }));
        const name = item => item.querySelector("h3").textContent;
        const orders = {
          found: () => 0,
          score: (a, b) => b.dataset.score - a.dataset.score,
          name: (a, b) => name(a).localeCompare(name(b)),
        };
        function apply() {
          const text = form.elements.text.value.toLowerCase();
          let shown = 0, all = 0;
          for (const { list, items } of lists) {
            const section = list.parentElement;
            section.hidden = !form.elements[section.id].checked;
            list.append(...[...items].sort(orders[form.elements.order.value]));
            for (const item of items) {
              item.hidden = !name(item).toLowerCase().includes(text);
              all += 1;
              if (!item.hidden && !section.hidden) shown += 1;
            }
          }
          document.getElementById("shown").textContent = shown === all ? "" : `${shown} of ${all} files are shown.`;
        }
        form.addEventListener("input", apply);
        form.addEventListener("submit", event => event.preventDefault());
        form.hidden = false;

        """

    /// The SHA-256 of the script in Base64, by which the page allows this script and no other.
    private static let scriptDigest: String = {
        guard var hash = try? SHA256() else { return "" }
        hash.update(Array(script.utf8))
        return ((try? hash.digest()).map { Data($0.bytes).base64EncodedString() }) ?? ""
    }()
}

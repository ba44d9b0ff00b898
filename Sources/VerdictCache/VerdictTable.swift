// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import CSQLite
internal import Glibc
internal import Hashing

/// The table of verdicts in an SQLite database.
///
/// Source: https://www.sqlite.org/cintro.html.
final class VerdictTable {
    private let database: SQLiteDatabase
    private let select: SQLiteDatabase.Statement
    private let insert: SQLiteDatabase.Statement
    private let touch: SQLiteDatabase.Statement
    private let selectDigest: SQLiteDatabase.Statement
    private let insertDigest: SQLiteDatabase.Statement
    private let today: Int

    init(path: String, maximumCount: Int) throws(VerdictStore.Failure) {
        today = time(nil) / 86_400
        do throws(SQLiteDatabase.Failure) {
            database = try SQLiteDatabase(path: path)
            // Another process may write at the same time. A crash loses no earlier verdict, a loss of power the last.
            for setting in [
                "trusted_schema = OFF", "cell_size_check = ON", "journal_mode = WAL", "synchronous = NORMAL",
            ] {
                try database.run("PRAGMA \(setting)")
            }
            if try database.number("PRAGMA user_version") != Self.version {
                for name in Self.definitions.keys { try database.run("DROP TABLE IF EXISTS \(name)") }
            }
            for definition in Self.definitions.values { try database.run("CREATE TABLE IF NOT EXISTS \(definition)") }
            // A view or a trigger in a planted database could change verdicts.
            let own = Self.definitions.map { "type = 'table' AND name = '\($0)' AND sql = 'CREATE TABLE \($1)'" }
            let others = "NOT (\(own.joined(separator: " OR ")))"
            guard try database.number("SELECT count(*) FROM sqlite_master WHERE \(others)") == 0 else {
                throw SQLiteDatabase.Failure(description: "it has other tables than it should")
            }
            try database.run("PRAGMA user_version = \(Self.version)")
            try Self.removeOldest(from: database, keeping: maximumCount)
            select = try SQLiteDatabase.Statement(
                database,
                """
                SELECT kind, types, score, model, policy, duration, framesAnalyzed, framesDecoded,
                    firstSensitiveTime, used FROM verdicts WHERE key = ?
                """)
            insert = try SQLiteDatabase.Statement(
                database, "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            touch = try SQLiteDatabase.Statement(database, "UPDATE verdicts SET used = ? WHERE key = ?")
            selectDigest = try SQLiteDatabase.Statement(database, "SELECT digest FROM files WHERE state = ?")
            insertDigest = try SQLiteDatabase.Statement(database, "INSERT OR REPLACE INTO files VALUES (?, ?, ?)")
        } catch {
            throw VerdictStore.Failure(
                "The cache of verdicts cannot be used (\(error.description)). Make room on the disk, wait for another run"
                    + " of sca, or remove the cache with 'sca cache clear'.")
        }
    }

    var count: Int { (try? database.number("SELECT count(*) FROM verdicts")) ?? 0 }

    func analysis(for key: VerdictKey) -> MediaAnalysis? {
        guard let row = select.row([.bytes(key.bytes)], { Self.analysis(in: $0) }), let found = row else { return nil }
        // A write for each use would make a run without new files slow.
        if found.lastUse != today { touch.run([.number(today), .bytes(key.bytes)]) }
        return found.analysis
    }

    func store(_ analysis: MediaAnalysis, for key: VerdictKey) -> Bool {
        insert.run([
            .bytes(key.bytes), .text(analysis.kind.rawValue),
            .text(analysis.detectedTypes.sorted().map(\.rawValue).joined(separator: ",")),
            .real(Double(analysis.score)), .text(analysis.modelName),
            .number(analysis.policy.rawValue), .moment(analysis.duration),
            .number(analysis.framesAnalyzed), .number(analysis.framesDecoded), .moment(analysis.firstSensitiveTime),
            .number(today),
        ])
    }

    func digest(for state: SHA256Digest) -> SHA256Digest? {
        guard let bytes = selectDigest.row([.bytes(state.bytes)], { $0.bytes(0) }) else { return nil }
        return bytes.flatMap(SHA256Digest.init)
    }

    func store(_ digest: SHA256Digest, for state: SHA256Digest) {
        insertDigest.run([.bytes(state.bytes), .bytes(digest.bytes), .number(today)])
    }

    /// Reads a row; nil if it is not one that this version writes.
    private static func analysis(in row: SQLiteDatabase.Row) -> (analysis: MediaAnalysis, lastUse: Int)? {
        guard let kind = row.text(0).flatMap(AnalyzedMediaKind.init), let names = row.text(1),
            let score = row.real(2), (0...1).contains(score), let model = row.text(3),
            let policy = row.number(4).flatMap(AnalysisPolicy.init), policy != .disabled, let analyzed = row.number(6),
            let decoded = row.number(7), analyzed > 0,
            decoded >= 0, let lastUse = row.number(9)
        else { return nil }
        let types = names.split(separator: ",").map { ContentType(rawValue: String($0)) }
        guard types.allSatisfy({ $0 != nil }) else { return nil }
        var analysis = MediaAnalysis(kind: kind, modelName: model, policy: policy)
        analysis.detectedTypes = Set(types.compactMap { $0 })
        analysis.score = Float(score)
        analysis.duration = row.number(5).map { .microseconds($0) }
        (analysis.framesAnalyzed, analysis.framesDecoded) = (analyzed, decoded)
        analysis.firstSensitiveTime = row.number(8).map { .microseconds($0) }
        return (analysis, lastUse)
    }

    private static func removeOldest(from database: SQLiteDatabase, keeping count: Int) throws(SQLiteDatabase.Failure) {
        for (table, key) in [("verdicts", "key"), ("files", "state")] {
            let surplus = try database.number("SELECT count(*) FROM \(table)") - count
            guard surplus > 0 else { continue }
            try database.run(
                "DELETE FROM \(table) WHERE \(key) IN (SELECT \(key) FROM \(table) ORDER BY used LIMIT \(surplus))")
        }
    }

    private static let definitions = ["verdicts": verdicts, "files": files]

    private static let verdicts = """
        verdicts (key BLOB PRIMARY KEY, kind TEXT NOT NULL, types TEXT NOT NULL, score REAL NOT NULL, \
        model TEXT NOT NULL, policy INTEGER NOT NULL, duration INTEGER, framesAnalyzed INTEGER NOT NULL, \
        framesDecoded INTEGER NOT NULL, firstSensitiveTime INTEGER, used INTEGER NOT NULL) WITHOUT ROWID
        """

    /// The digests of unchanged files, by the digests of the files' states; no name or path is stored.
    private static let files = """
        files (state BLOB PRIMARY KEY, digest BLOB NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID
        """

    /// The version of the tables; tables of another version are removed.
    private static let version = 2
}

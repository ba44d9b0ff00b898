// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import Glibc

/// A connection to an SQLite database, which one thread uses at a time.
@safe
final class SQLiteDatabase {
    fileprivate let connection: OpaquePointer

    /// A failure with the message of SQLite.
    struct Failure: Error {
        let description: String
    }

    /// Opens an existing database for reading and writing; no part of the path may be a link.
    init(path: String) throws(Failure) {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw Failure(description: unsafe String(cString: sqlite3_errstr(code)))
        }
        unsafe connection = opened
        unsafe sqlite3_busy_timeout(connection, Self.longestWait)
    }

    deinit { unsafe sqlite3_close_v2(connection) }

    /// Runs a statement and drops its rows.
    func run(_ statement: String) throws(Failure) {
        guard unsafe sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    /// Returns the first number that a query gives.
    func number(_ query: String) throws(Failure) -> Int {
        let statement = try Statement(self, query)
        guard let number = statement.row([], { $0.number(0) }), let number else { throw failure }
        return number
    }

    fileprivate var failure: Failure {
        Failure(description: unsafe String(cString: sqlite3_errmsg(connection)))
    }

    /// The longest wait for another process that writes, in milliseconds.
    private static let longestWait: Int32 = 2000
}

extension SQLiteDatabase {
    /// A prepared statement; it keeps its database open.
    @safe
    final class Statement {
        private let database: SQLiteDatabase
        private let statement: OpaquePointer

        /// A value of a parameter.
        enum Value {
            case bytes([UInt8])
            case text(String)
            case real(Double)
            case number(Int)
            case null

            /// A moment in microseconds.
            static func moment(_ moment: Duration?) -> Value {
                moment.map { .number(Int(clamping: Int64(($0 / .microseconds(1)).rounded()))) } ?? .null
            }
        }

        init(_ database: SQLiteDatabase, _ text: String) throws(Failure) {
            self.database = database
            var prepared: OpaquePointer?
            guard unsafe sqlite3_prepare_v2(database.connection, text, -1, &prepared, nil) == SQLITE_OK,
                let prepared = unsafe prepared
            else { throw database.failure }
            unsafe statement = prepared
        }

        deinit { unsafe sqlite3_finalize(statement) }

        /// Runs the statement, and returns whether it succeeded.
        @discardableResult
        func run(_ values: [Value]) -> Bool {
            guard bind(values) else { return false }
            return unsafe sqlite3_step(statement) == SQLITE_DONE
        }

        /// Runs the statement, and returns a value made of its first row; nil if there is no row, or at a failure.
        func row<Result>(_ values: [Value], _ body: (Row) -> Result) -> Result? {
            guard bind(values), unsafe sqlite3_step(statement) == SQLITE_ROW else { return nil }
            defer { unsafe sqlite3_reset(statement) }
            return unsafe body(Row(statement: statement))
        }

        private func bind(_ values: [Value]) -> Bool {
            unsafe sqlite3_reset(statement)
            for (index, value) in values.enumerated() {
                guard unsafe bind(value, Int32(index + 1)) == SQLITE_OK else { return false }
            }
            return true
        }

        private func bind(_ value: Value, _ place: Int32) -> Int32 {
            // SQLITE_TRANSIENT, by which SQLite copies the bytes; the macro is not imported.
            let isCopied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            return switch value {
            case .bytes(let bytes): unsafe sqlite3_bind_blob64(statement, place, bytes, UInt64(bytes.count), isCopied)
            case .text(let text): unsafe sqlite3_bind_text(statement, place, text, -1, isCopied)
            case .real(let number): unsafe sqlite3_bind_double(statement, place, number)
            case .number(let number): unsafe sqlite3_bind_int64(statement, place, Int64(number))
            case .null: unsafe sqlite3_bind_null(statement, place)
            }
        }
    }

    /// The current row of a statement.
    @safe
    struct Row {
        fileprivate let statement: OpaquePointer

        /// Returns a column's text; nil for another type, or for a text that is not UTF-8.
        func text(_ column: Int32) -> String? {
            guard unsafe sqlite3_column_type(statement, column) == SQLITE_TEXT,
                let text = unsafe sqlite3_column_text(statement, column)
            else { return nil }
            let count = unsafe Int(sqlite3_column_bytes(statement, column))
            return unsafe String(validating: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
        }

        /// Returns a column's bytes; nil for another type.
        func bytes(_ column: Int32) -> [UInt8]? {
            guard unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB,
                let bytes = unsafe sqlite3_column_blob(statement, column)
            else { return nil }
            let count = unsafe Int(sqlite3_column_bytes(statement, column))
            return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
        }

        func number(_ column: Int32) -> Int? {
            guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
            return unsafe Int(sqlite3_column_int64(statement, column))
        }

        func real(_ column: Int32) -> Double? {
            guard unsafe sqlite3_column_type(statement, column) == SQLITE_FLOAT else { return nil }
            return unsafe sqlite3_column_double(statement, column)
        }
    }
}

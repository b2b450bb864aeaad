// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import HostSystem

package enum DumpError: ExplainedError, SQLiteError {
  case empty
  /// No format accepts the file; the reasons of the formats whose signature it has.
  case unknownFormat([Refusal])
  /// Two formats read different memories with the same number of correct checksums.
  case ambiguousFormat([String])
  case noSuchFormat(String, known: [String])
  /// The signature of the format is missing; `lacks` describes it.
  case notThisFormat(lacks: String)
  case isText
  case isBinary
  /// `areLines` is true if each of its lines has a memory.
  case tooLarge(found: Int?, limit: Int, areLines: Bool = false)
  case badGzip
  case isZip
  /// The file is compressed by another program; `command` unpacks it.
  case isPacked(by: String, command: String)
  case isTable(of: String)
  /// The text is not in UTF-8; `command` converts it.
  case otherEncoding(String, command: String)
  case isStore

  // MARK: Text

  case notHex(line: Int, column: Int, character: String)
  case oddHexDigits(line: Int)
  case badHeader(line: Int, key: String, value: String)
  case contradiction(line: Int, key: String)
  /// The line begins as the format's pattern does, but does not hold a block.
  case badLine(line: Int, expected: String)
  /// A value in JSON, a form or a database is invalid; nil if it is missing.
  case badField(String, value: String?)
  case badJSON(String)

  // MARK: Blocks

  case truncated(found: Int, needed: Int)
  case wrongLength(found: Int)
  case conflictingBlocks(block: Int, lines: [Int])
  case blockOutOfRange(block: Int, line: Int)
  /// See `DumpDefect`, as for the next two.
  case overwrittenByProxmark
  case ambiguousUID
  case takenForLocks

  // MARK: Several memories

  case noMemory
  /// A search has found none in so many files.
  case noMemoryInFiles(Int)
  /// The file has only the records of a scan, and what is wanted needs the memory.
  case recordsOnly
  /// None was chosen. The number is nil if there are too many to count; some are listed. `areLines`: each line has one.
  case severalDumps(Int?, listed: [Found], areLines: Bool = false)
  case noSuchDump(Int, count: Int)

  // MARK: Databases

  /// The database cannot be read; SQLite's text.
  case database(String)
  case databaseNotInFile
  /// The records in the value of a column are not where they could be recognised, or two different runs of them are.
  case recordsNotRecognised(column: String, areSeveral: Bool)

  /// A format that a program added refuses the file, in its own words.
  case ownFormat(String, reason: String)

  // MARK: Writing

  /// The image lacks a fact that the format requires, or has one that the format would lose without a warning.
  case cannotWrite(format: String, obstacle: Obstacle)

  package struct Refusal: Hashable, Sendable {
    package let format: String
    package let error: DumpError
  }

  package struct Found: Hashable, Sendable {
    package let number: Int
    package let label: String?
    package let line: Int?
    package let goodChecksums: Int
  }

  package enum Obstacle: Hashable, Sendable {
    case noUID
    case missingBlocks(BlockSet)
    case cutBlock(byteCount: Int)
    case tooManyBlocks(Int, limit: Int)
    /// A later part of a long memory would be read as a memory of its own.
    case severalMemories
    /// The bytes would be recognised as a text, a database or a compressed file.
    case otherContent
  }

  package static let utf16 = DumpError.otherEncoding("UTF-16", command: "iconv -f UTF-16 -t UTF-8 FILE")
  /// Most texts with bytes that are not UTF-8 are of a Windows program in Western Europe or America.
  static let latin1 = DumpError.otherEncoding(
    "another encoding, probably Latin-1,", command: "iconv -f LATIN1 -t UTF-8 FILE")

  /// True for errors that mean only that the file has another format.
  var isOtherFormat: Bool {
    switch self {
    case .notThisFormat, .isText, .isBinary: true
    default: false
    }
  }

  /// False for errors that decide about the memory in a file, whatever else is in it.
  var mayHideMemory: Bool {
    switch self {
    case .conflictingBlocks, .contradiction, .overwrittenByProxmark, .takenForLocks, .tooLarge: false
    default: true
    }
  }
}

extension DumpError {
  package init(_ failure: SQLiteFailure, path: String) { self = .database(failure.words) }

  package var explanation: (code: String, message: String) {
    switch self {
    case .empty: ("empty", "the input is empty, expected 344 bytes of memory")
    case .unknownFormat(let refusals) where refusals.isEmpty: ("unknown_format", "unknown dump format")
    case .unknownFormat(let refusals):
      (
        "unknown_format",
        "no dump format fits: "
          + refusals.map { "\($0.format): \($0.error.explanation.message)" }.joined(separator: "; ")
      )
    case .ambiguousFormat(let names):
      ("ambiguous_format", "the file fits several formats equally well: \(names.joined(separator: " and "))")
    case .noSuchFormat(let name, _): ("no_such_format", "unknown dump format \(name)")
    case .notThisFormat(let lacks): ("not_this_format", "expected \(lacks)")
    case .isText: ("is_text", "expected binary data, got text")
    case .isBinary: ("is_binary", "expected text, got binary data")
    case .tooLarge(let found, let limit, _): InputError.tooLarge(found: found, limit: limit).explanation
    case .badGzip: ("bad_gzip", "the gzip data is damaged")
    case .isPacked(let by, _): ("is_packed", "the file is compressed with \(by)")
    case .isTable(let name): ("is_table", "expected text or a dump, got \(name)")
    case .otherEncoding(let encoding, _):
      ("other_encoding", "unknown format, and the text is in \(encoding) instead of UTF-8")
    case .isStore: ("is_store", "expected a dump, got a store of libre")
    case .isZip: ("is_zip", "ZIP archives are not supported")

    case .notHex(let line, let column, let character):
      ("not_hex", "line \(line), column \(column): expected a hex digit, got \(character)")
    case .oddHexDigits(let line): ("odd_hex_digits", "line \(line) has an odd number of hex digits")
    case .badHeader(let line, let key, let value): ("bad_header", "line \(line): invalid \(key) \(value)")
    case .contradiction(let line, let key):
      ("contradiction", "line \(line) contradicts an earlier line about the \(key)")
    case .badLine(let line, let expected): ("bad_line", "line \(line): expected \(expected)")
    case .badField(let name, let value?): ("bad_field", "\(name) is invalid: \(value)")
    case .badField(let name, nil): ("bad_field", "\(name) is missing, or of the wrong type")
    case .badJSON(let reason): ("bad_json", "invalid JSON: \(reason)")

    case .truncated(let found, let needed): ("truncated", "the dump has only \(found) of \(needed) bytes")
    case .wrongLength(let found):
      (
        "wrong_length",
        "expected 344 bytes of memory (or up to 1952 in blocks of 8, 8800 for a Libre Pro), got \(found)"
      )
    case .conflictingBlocks(let block, let lines):
      (
        "conflicting_blocks",
        "block \(block) has one content in line \(lines.map(String.init).joined(separator: " and another in line "))"
      )
    case .blockOutOfRange(let block, let line):
      ("block_out_of_range", "line \(line): block \(block) is out of range, sensors have blocks 0 to 243")
    case .overwrittenByProxmark:
      (
        "overwritten_by_proxmark",
        "the Proxmark3 client has overwritten the start of the memory, because it dumped all 244 blocks at once: the footer, the age and most history values are intact; the state, two checksums, both ring indices and most trend values are lost"
      )

    case .ambiguousUID: ("bad_uid", "the UID in the dump has E0 at both ends, so its byte order is not clear")
    case .takenForLocks:
      (
        "taken_for_locks",
        "TagInfo's report of a Libre 2 cannot be used: TagInfo expects a lock byte before each block, which this sensor does not send, and so it lost every ninth byte of the memory"
      )

    case .noMemory: ("no_memory", "the file does not contain a sensor memory")
    case .noMemoryInFiles(let count):
      ("no_memory", "no sensor memory found in \(count) file\(count == 1 ? "" : "s")")
    case .recordsOnly:
      (
        "records_only",
        "the app kept only the records of the scan, not the sensor's memory: state, checksums and calibration are unknown"
      )
    case .severalDumps(let count, let listed, _):
      (
        "several_dumps",
        "the file has \(count.map(String.init) ?? "more than a hundred") memories: "
          + listed.map(\.text).joined(separator: "; ") + (count == listed.count ? "" : "; …")
      )
    case .noSuchDump(let number, let count): ("no_such_dump", "memory \(number) not found, the file has \(count)")
    case .database(let words): ("database", "the database cannot be read: \(words)")
    case .ownFormat(let name, let reason): ("format_refused", "\(name): \(reason)")
    case .databaseNotInFile: ("database_not_in_file", "an SQLite database can only be read from its own file")
    case .recordsNotRecognised(let column, let areSeveral):
      (
        "records_not_recognised",
        areSeveral
          ? "\(column) has two runs of records that contradict each other, so it is not clear which are those of the newest scan"
          : "\(column) has no 16 trend and 32 history records that can be recognised by their minutes"
      )
    case .cannotWrite(let format, .noUID): ("cannot_write", "the format \(format) needs a UID")
    case .cannotWrite(let format, .missingBlocks(let blocks)):
      ("cannot_write", "the dump lacks \(BlockText.list(blocks)), which the format \(format) cannot mark as missing")
    case .cannotWrite(let format, .cutBlock(let count)):
      ("cannot_write", "the dump has \(count) bytes, but the format \(format) needs whole blocks of 8")
    case .cannotWrite(let format, .tooManyBlocks(let count, let limit)):
      ("cannot_write", "the dump has \(count) blocks, but the format \(format) allows at most \(limit)")
    case .cannotWrite(let format, .severalMemories):
      ("cannot_write", "the dump as a \(format) file would be read as several memories")
    case .cannotWrite(let format, .otherContent):
      ("cannot_write", "the dump as a \(format) file would be read as a text, a database or a compressed file")
    }
  }
}

extension DumpError.Found {
  /// `2 (line 47, Sensor decrypted FRAM, 3 of 3 checksums good)`
  fileprivate var text: String {
    let about = [line.map { "line \($0)" }, label, "\(goodChecksums) of 3 checksums good"].compactMap(\.self)
    return "\(number) (\(about.joined(separator: ", ")))"
  }
}

// SPDX-License-Identifier: Apache-2.0
public import CGMModel
package import SQLiteAccess

/// The reasons why a file has no readable memory.
public enum DumpError: ExplainedError {
  /// The file has no bytes.
  case empty
  /// No format accepts the file; the reasons of the formats whose signature it has.
  case unknownFormat([Refusal])
  /// Two formats read different memories with the same number of correct checksums.
  case ambiguousFormat([String])
  /// The name of the format is unknown.
  case noSuchFormat(String, known: [String])
  /// The signature of the format is missing; `lacks` describes it.
  case notThisFormat(lacks: String)
  /// The format is binary, but the file is text.
  case isText
  /// The format is text, but the file is binary.
  case isBinary
  /// The file is larger than the limit; `areLines` is true if each of its lines has a memory.
  case tooLarge(found: Int?, limit: Int, areLines: Bool = false)
  /// The gzip data is damaged.
  case badGzip
  /// The file is a ZIP archive, which may hold many files.
  case isZip
  /// The file is compressed by another program; `command` unpacks it.
  case isPacked(by: String, command: String)
  /// The file is a table in another program's own format, such as a workbook.
  case isTable(of: String)
  /// The text is not in UTF-8; `command` converts it.
  case otherEncoding(String, command: String)
  /// The file is a store of libre.
  case isStore

  // MARK: Text

  /// The line has a character that is neither a hex digit nor a separator.
  case notHex(line: Int, column: Int, character: String)
  /// A byte has only one hex digit.
  case oddHexDigits(line: Int)
  /// The value of a header line is invalid.
  case badHeader(line: Int, key: String, value: String)
  /// The line contradicts an earlier one about the sensor.
  case contradiction(line: Int, key: String)
  /// The line begins as the format's pattern does, but does not hold a block.
  case badLine(line: Int, expected: String)
  /// A value in JSON, a form or a database is invalid; nil if it is missing.
  case badField(String, value: String?)
  /// The text is not JSON, or is nested too deep.
  case badJSON(String)

  // MARK: Blocks

  /// There are fewer bytes than a memory has.
  case truncated(found: Int, needed: Int)
  /// The number of bytes is not that of a memory.
  case wrongLength(found: Int)
  /// One block occurs twice, with different bytes.
  case conflictingBlocks(block: Int, lines: [Int])
  /// The block number is larger than on any sensor.
  case blockOutOfRange(block: Int, line: Int)
  /// The file has the defect of the Proxmark3 client, see `DumpDefect`.
  case overwrittenByProxmark
  /// The byte order of the UID is not clear, see `DumpDefect`.
  case ambiguousUID
  /// Bytes were taken for lock bytes and lost, see `DumpDefect`.
  case takenForLocks

  // MARK: Several memories

  /// The format is correct, but the file has no memory.
  case noMemory
  /// The file has only the records of a scan, and what is wanted needs the memory.
  case recordsOnly
  /// The file has several memories, and none was chosen. The number is nil if there are too many to count; some are
  /// listed. `areLines` is true if each line has one.
  case severalDumps(Int?, listed: [Found], areLines: Bool = false)
  /// The file does not have a memory of this number.
  case noSuchDump(Int, count: Int)

  // MARK: Databases

  /// The database cannot be read; SQLite's text.
  case database(String)
  /// A database was given in another way than as a file of its own.
  case databaseNotInFile
  /// The records in the value of a column are not where they could be recognised, or two different runs of them are.
  case recordsNotRecognised(column: String, areSeveral: Bool)

  // MARK: Writing

  /// The image lacks a fact that the format requires, or has one that the format would lose without a warning.
  case cannotWrite(format: String, obstacle: Obstacle)

  /// The reason of one format.
  public struct Refusal: Hashable, Sendable {
    package let format: String
    package let error: DumpError
  }

  /// One of several memories in a file.
  public struct Found: Hashable, Sendable {
    package let number: Int
    package let label: String?
    package let line: Int?
    /// The number of correct checksums, 0…3.
    package let goodChecksums: Int

    package init(number: Int, label: String?, line: Int?, goodChecksums: Int) {
      self.number = number
      self.label = label
      self.line = line
      self.goodChecksums = goodChecksums
    }
  }

  public enum Obstacle: Hashable, Sendable {
    case noUID
    case missingBlocks(BlockSet)
    /// The last block is incomplete.
    case cutBlock(byteCount: Int)
    /// There are more blocks than programs for this format expect.
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
}

extension DumpError: SQLiteError {
  package init(_ failure: SQLiteFailure, path: String) { self = .database(failure.words) }
}

extension DumpError {
  public var explanation: ErrorExplanation {
    switch self {
    case .empty: ErrorExplanation("empty", "the input is empty, expected 344 bytes of memory", "make the dump again")
    case .unknownFormat(let refusals) where refusals.isEmpty:
      ErrorExplanation(
        "unknown_format", "unknown dump format",
        "libre formats lists the known formats; libre import reads histories; --input-format NAME shows why NAME does not fit"
      )
    case .unknownFormat(let refusals):
      ErrorExplanation(
        "unknown_format",
        "no dump format fits: "
          + refusals.map { "\($0.format): \($0.error.explanation.message)" }.joined(separator: "; "),
        "libre formats lists the known formats; --input-format NAME selects one")
    case .ambiguousFormat(let names):
      ErrorExplanation(
        "ambiguous_format", "the file fits several formats equally well: \(names.joined(separator: " and "))",
        "choose with --input-format \(names.joined(separator: " or "))")
    case .noSuchFormat(let name, let known):
      ErrorExplanation(
        "no_such_format", "unknown dump format \(name)", "choose one of \(known.joined(separator: ", "))")
    case .notThisFormat(let lacks):
      ErrorExplanation("not_this_format", "expected \(lacks)", "leave out --input-format, or name another format")
    case .isText: ErrorExplanation("is_text", "expected binary data, got text", "leave out --input-format")
    case .isBinary: ErrorExplanation("is_binary", "expected text, got binary data", "leave out --input-format")
    case .tooLarge(let found, let limit, let areLines):
      ErrorExplanation(
        "too_large",
        "\(found.map { "it has \($0) bytes" } ?? "it does not end"), and the limit is \(limit) (\(limit >> 20) MiB)",
        areLines ? Self.lineByLine : "choose the dump of one sensor")
    case .badGzip:
      ErrorExplanation(
        "bad_gzip", "the gzip data is damaged", "copy the file again; gzip --test FILE shows details")
    case .isPacked(let by, let program):
      ErrorExplanation("is_packed", "the file is compressed with \(by)", "unpack it first: \(program)")
    case .isTable(let name):
      ErrorExplanation(
        "is_table", "expected text or a dump, got \(name)", "save it as CSV in UTF-8; libre import reads that")
    case .otherEncoding(let encoding, let command):
      ErrorExplanation(
        "other_encoding", "unknown format, and the text is in \(encoding) instead of UTF-8",
        "convert it first: \(command)")
    case .isStore:
      ErrorExplanation(
        "is_store", "expected a dump, got a store of libre",
        "libre history --store FILE shows its samples, libre store merge FILE adds them to yours")
    case .isZip:
      ErrorExplanation(
        "is_zip", "ZIP archives are not supported", "unpack it with unzip, and name the file in it")

    case .notHex(let line, let column, let character):
      ErrorExplanation(
        "not_hex", "line \(line), column \(column): expected a hex digit, got \(character)",
        "fix that line, or comment it out with #; libre formats lists the known formats")
    case .oddHexDigits(let line):
      ErrorExplanation(
        "odd_hex_digits", "line \(line) has an odd number of hex digits", "write each byte with two digits")
    case .badHeader(let line, let key, let value):
      ErrorExplanation(
        "bad_header", "line \(line): invalid \(key) \(value)",
        key == "uid" ? "delete that line and give the UID, E0 first, with --uid" : "fix or delete that line")
    case .contradiction(let line, let key):
      ErrorExplanation(
        "contradiction", "line \(line) contradicts an earlier line about the \(key)",
        "delete the wrong line, or split the file")
    case .badLine(let line, let expected):
      ErrorExplanation(
        "bad_line", "line \(line): expected \(expected)", "fix or delete that line, or make the dump again")
    case .badField(let name, let value?):
      ErrorExplanation("bad_field", "\(name) is invalid: \(value)", "fix it, or make the dump again")
    case .badField(let name, nil):
      ErrorExplanation("bad_field", "\(name) is missing, or of the wrong type", "fix it, or make the dump again")
    case .badJSON(let reason): ErrorExplanation("bad_json", "invalid JSON: \(reason)", "copy the whole file again")

    case .truncated(let found, let needed):
      ErrorExplanation(
        "truncated", "the dump has only \(found) of \(needed) bytes",
        "make the dump again; --salvage decodes the rest, if the age of the sensor is in it")
    case .wrongLength(let found):
      ErrorExplanation(
        "wrong_length",
        "expected 344 bytes of memory (or up to 1952 in blocks of 8, 8800 for a Libre Pro), got \(found)",
        "if the rest is not from the sensor, cut the file to its first 344 bytes")
    case .conflictingBlocks(let block, let lines):
      ErrorExplanation(
        "conflicting_blocks",
        "block \(block) has one content in line \(lines.map(String.init).joined(separator: " and another in line "))",
        "if the file has two reads, split it; otherwise delete one of the lines")
    case .blockOutOfRange(let block, let line):
      ErrorExplanation(
        "block_out_of_range", "line \(line): block \(block) is out of range, sensors have blocks 0 to 243",
        "fix or delete that line")
    case .overwrittenByProxmark:
      ErrorExplanation("overwritten_by_proxmark", ProxmarkDefectText.message, ProxmarkDefectText.resolution)

    case .ambiguousUID:
      ErrorExplanation(
        "bad_uid", "the UID in the dump has E0 at both ends, so its byte order is not clear",
        "give the UID as printed, E0 first, with --uid")
    case .takenForLocks:
      ErrorExplanation(
        "taken_for_locks",
        "TagInfo's report of a Libre 2 cannot be used: TagInfo expects a lock byte before each block, which this sensor does not send, and so it lost every ninth byte of the memory",
        "read the sensor with libre read, or with an app that knows it, such as DiaBLE or xDrip+: libre formats lists what libre reads"
      )

    case .noMemory:
      ErrorExplanation("no_memory", "the file does not contain a sensor memory", "choose the dump of a sensor")
    case .recordsOnly:
      ErrorExplanation(
        "records_only", AppRecordsText.message,
        "libre decode FILE shows the records; only a new scan, with libre read, gives a memory")
    case .severalDumps(let count, let listed, let areLines):
      ErrorExplanation(
        "several_dumps",
        "the file has \(count.map(String.init) ?? "more than a hundred") memories: "
          + listed.map(\.text).joined(separator: "; ") + (count == listed.count ? "" : "; …"),
        "choose one with --dump \(listed.first?.number ?? 1); "
          + (areLines ? Self.lineByLine : "libre decode decodes all with --all"))
    case .noSuchDump(let number, let count):
      ErrorExplanation(
        "no_such_dump", "memory \(number) not found, the file has \(count)",
        "choose a number from 1 to \(count) with --dump")
    case .database(let words):
      ErrorExplanation(
        "database", "the database cannot be read: \(words)", "sqlite3 FILE 'PRAGMA integrity_check' shows details")
    case .databaseNotInFile:
      ErrorExplanation(
        "database_not_in_file", "an SQLite database can only be read from its own file",
        "unpack it if needed, and name the database file")
    case .recordsNotRecognised(let column, let areSeveral):
      ErrorExplanation(
        "records_not_recognised",
        areSeveral
          ? "\(column) has two runs of records that contradict each other, so it is not clear which are those of the newest scan"
          : "\(column) has no 16 trend and 32 history records that can be recognised by their minutes",
        "libre import FILE takes the values that the app computed; please report the version of the app")
    case .cannotWrite(let format, .noUID):
      ErrorExplanation("cannot_write", "the format \(format) needs a UID", "give it with --uid")
    case .cannotWrite(let format, .missingBlocks(let blocks)):
      ErrorExplanation(
        "cannot_write",
        "the dump lacks \(BlockText.list(blocks)), which the format \(format) cannot mark as missing",
        "choose hex, diable or json")
    case .cannotWrite(let format, .cutBlock(let count)):
      ErrorExplanation(
        "cannot_write", "the dump has \(count) bytes, but the format \(format) needs whole blocks of 8",
        "choose hex, json or bin")
    case .cannotWrite(let format, .tooManyBlocks(let count, let limit)):
      ErrorExplanation(
        "cannot_write", "the dump has \(count) blocks, but the format \(format) allows at most \(limit)",
        "choose hex, json or bin")
    case .cannotWrite(let format, .severalMemories):
      ErrorExplanation(
        "cannot_write",
        "the dump as a \(format) file would be read as several memories",
        "choose json")
    case .cannotWrite(let format, .otherContent):
      ErrorExplanation(
        "cannot_write",
        "the dump as a \(format) file would be read as a text, a database or a compressed file",
        "choose hex or json")
    }
  }

  /// The way to read a file with a memory in each line.
  private static let lineByLine = "libre decode and libre convert take each line by itself with --lines"

  public var exitStatus: Int32 {
    if case .noSuchFormat = self { 64 } else { 65 }
  }
}

extension DumpError.Found {
  /// The memory in a list: `2 (line 47, Sensor decrypted FRAM, 3 of 3 checksums good)`.
  fileprivate var text: String {
    let about = [line.map { "line \($0)" }, label, "\(goodChecksums) of 3 checksums good"].compactMap(\.self)
    return "\(number) (\(about.joined(separator: ", ")))"
  }
}

/// The sentences about a dump that a Proxmark3 client damaged: an error, or with salvaging a problem.
package enum ProxmarkDefectText {
  package static let message =
    "the Proxmark3 client has overwritten the start of the memory, because it dumped all 244 blocks at once: the footer, the age and most history values are intact; the state, two checksums, both ring indices and most trend values are lost"
  package static let resolution =
    "read the sensor again block by block (hf 15 rdbl or rdmulti) and decode the printed text; --salvage shows the history, dated by the age"
}

/// The sentence about a scan of which only the records are left: an error, or of a decoded one a problem.
package enum AppRecordsText {
  package static let message =
    "the app kept only the records of the scan, not the sensor's memory: state, checksums and calibration are unknown"
}

// SPDX-License-Identifier: Apache-2.0
public import CGMModel
package import SQLiteAccess

/// Why a file gives no memory. The culprit is always the file.
public enum DumpError: ExplainedError {
  /// No bytes at all.
  case empty
  /// No format takes it; those whose marks it has say why.
  case unknownFormat([Refusal])
  /// Two formats read different memories in it, equally well.
  case ambiguousFormat([String])
  /// There is no format of this name.
  case noSuchFormat(String, known: [String])
  /// The marks of the format are not there; `lacks` names them.
  case notThisFormat(lacks: String)
  /// A format of bytes was given text.
  case isText
  /// A format of text was given bytes.
  case isBinary
  /// More than any dump of a sensor can be.
  case tooLarge(found: Int?, limit: Int)
  /// Packed with gzip, and damaged.
  case badGzip
  /// A ZIP archive, which may hold many files.
  case isZip
  /// Packed in another way: by what, and the command that unpacks it.
  case isPacked(by: String, command: String)
  /// A store of libre's own.
  case isStore

  // MARK: Text

  /// Something other than hex digits and separators.
  case notHex(line: Int, column: Int, character: String)
  /// A hex digit without its partner.
  case oddHexDigits(line: Int)
  /// A line whose value cannot be read.
  case badHeader(line: Int, key: String, value: String)
  /// A line that says of the sensor something else than one before it.
  case contradiction(line: Int, key: String)
  /// A line of the format's pattern with something else than a block in it.
  case badLine(line: Int, expected: String)
  /// A value in JSON, a form or a database that cannot be read; nil for one that is not there.
  case badField(String, value: String?)
  /// Not JSON, or nested too deeply.
  case badJSON(String)

  // MARK: Blocks

  /// Fewer bytes than a memory has.
  case truncated(found: Int, needed: Int)
  /// As many bytes as no memory has.
  case wrongLength(found: Int)
  /// One block with two contents.
  case conflictingBlocks(block: Int, lines: [Int])
  /// A block number that no sensor has.
  case blockOutOfRange(block: Int, line: Int)
  /// The Proxmark3 client's defect: see `DumpDefect`.
  case overwrittenByProxmark
  /// The UID may be meant in either order: see `DumpDefect`.
  case ambiguousUID

  // MARK: Several memories

  /// Right in form, but no memory is in it.
  case noMemory
  /// Several memories, and none was named. How many there are, if that is not too many to count; some of them.
  case severalDumps(Int?, listed: [Found])
  /// There is no memory of this number.
  case noSuchDump(Int, count: Int)

  // MARK: Databases

  /// The database's own words.
  case database(String)
  /// A database can only be opened as a file of its own.
  case databaseNotInFile

  // MARK: Writing

  /// The image lacks what the format must have, or has what the format would lose silently.
  case cannotWrite(format: String, obstacle: Obstacle)

  /// One format's reason.
  public struct Refusal: Hashable, Sendable {
    public let format: String
    public let error: DumpError
  }

  /// One of several memories in a file.
  public struct Found: Hashable, Sendable {
    public let number: Int
    public let label: String?
    public let line: Int?
    /// 0…3
    public let goodChecksums: Int

    public init(number: Int, label: String?, line: Int?, goodChecksums: Int) {
      self.number = number
      self.label = label
      self.line = line
      self.goodChecksums = goodChecksums
    }
  }

  public enum Obstacle: Hashable, Sendable {
    case noUID
    case missingBlocks(BlockSet)
    /// Not a whole number of blocks.
    case cutBlock(byteCount: Int)
    /// More than programs that read this format expect.
    case tooManyBlocks(Int, limit: Int)
    /// A later part of a long memory is a memory by itself.
    case severalMemories
    /// The bytes by themselves are those of a text, a database or a packed file.
    case otherContent
  }

  /// True for the reasons that say nothing of the file but that it has another format.
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
    case .empty: ErrorExplanation("empty", "the input is empty: 0 bytes, where a memory has 344", "make the dump again")
    case .unknownFormat(let refusals) where refusals.isEmpty:
      ErrorExplanation(
        "unknown_format", "it is none of the dump formats that libre knows",
        "libre formats lists what can be read; libre import takes histories; --input-format NAME says why it is not that"
      )
    case .unknownFormat(let refusals):
      ErrorExplanation(
        "unknown_format",
        "no dump format fits: "
          + refusals.map { "\($0.format): \($0.error.explanation.message)" }.joined(separator: "; "),
        "libre formats lists what can be read; --input-format NAME forces one")
    case .ambiguousFormat(let names):
      ErrorExplanation(
        "ambiguous_format", "it reads equally well as \(names.joined(separator: " and "))",
        "choose with --input-format \(names.joined(separator: " or "))")
    case .noSuchFormat(let name, let known):
      ErrorExplanation(
        "no_such_format", "there is no dump format \(name)", "choose one of \(known.joined(separator: ", "))")
    case .notThisFormat(let lacks):
      ErrorExplanation("not_this_format", "it lacks \(lacks)", "leave out --input-format, or give another")
    case .isText: ErrorExplanation("is_text", "it is text, not bytes", "leave out --input-format")
    case .isBinary: ErrorExplanation("is_binary", "it is bytes, not text", "leave out --input-format")
    case .tooLarge(let found, let limit):
      ErrorExplanation(
        "too_large",
        "\(found.map { "it has \($0) bytes" } ?? "it goes on and on"), and at most \(limit) (\(limit >> 20) MiB) are read",
        "choose the dump of one sensor")
    case .badGzip:
      ErrorExplanation(
        "bad_gzip", "it is packed with gzip and damaged", "gzip --test FILE tells more; copy the file again")
    case .isPacked(let by, let program):
      ErrorExplanation("is_packed", "it is packed with \(by)", "unpack it first: \(program)")
    case .isStore:
      ErrorExplanation(
        "is_store", "it is a store of libre, not a dump",
        "libre history --store FILE shows what is in it, libre store merge FILE takes it over")
    case .isZip:
      ErrorExplanation(
        "is_zip", "it is a ZIP archive, which may hold many files", "unpack it with unzip, and give the file in it")

    case .notHex(let line, let column, let character):
      ErrorExplanation(
        "not_hex", "line \(line), column \(column): \(character) is not a hex digit",
        "mend or comment out that line with #; libre formats lists what can be read")
    case .oddHexDigits(let line):
      ErrorExplanation(
        "odd_hex_digits", "line \(line) has a hex digit without its partner", "write each byte with two digits")
    case .badHeader(let line, let key, let value):
      ErrorExplanation(
        "bad_header", "line \(line): \(key): \(value) cannot be read",
        key == "uid" ? "remove that line and give the UID, E0 first, with --uid" : "mend or remove that line")
    case .contradiction(let line, let key):
      ErrorExplanation(
        "contradiction", "line \(line) gives another \(key) than a line before it",
        "remove the wrong one of the two lines, or split the file")
    case .badLine(let line, let expected):
      ErrorExplanation(
        "bad_line", "line \(line) is not \(expected)", "mend or remove that line, or make the dump again")
    case .badField(let name, let value?):
      ErrorExplanation("bad_field", "\(name) is \(value), which cannot be read", "mend it, or make the dump again")
    case .badField(let name, nil):
      ErrorExplanation("bad_field", "\(name) is missing, or not of its kind", "mend it, or make the dump again")
    case .badJSON(let reason): ErrorExplanation("bad_json", "it is no JSON: \(reason)", "copy the whole file again")

    case .truncated(let found, let needed):
      ErrorExplanation(
        "truncated", "the dump ends after \(found) bytes of \(needed)",
        "make the dump again; --salvage decodes what is there, if the age of the sensor is")
    case .wrongLength(let found):
      ErrorExplanation(
        "wrong_length",
        "\(found) bytes are no memory: it has 344, some readers store a few blocks of 8 more, and 1952 are all there are; a Libre Pro has up to 8800",
        "cut the file to its first 344 bytes if the rest is not of the sensor")
    case .conflictingBlocks(let block, let lines):
      ErrorExplanation(
        "conflicting_blocks",
        "block \(block) has one content in line \(lines.map(String.init).joined(separator: " and another in line "))",
        "two reads are mixed up: split the file, or remove one of the lines")
    case .blockOutOfRange(let block, let line):
      ErrorExplanation(
        "block_out_of_range", "line \(line) has block \(block), and a sensor has no more than 0 to 243",
        "mend or remove that line")
    case .overwrittenByProxmark:
      ErrorExplanation("overwritten_by_proxmark", ProxmarkDefectText.message, ProxmarkDefectText.resolution)

    case .ambiguousUID:
      ErrorExplanation(
        "bad_uid", "the UID in it has E0 at both ends, so its order is not clear",
        "give it as it is printed, E0 first, with --uid")

    case .noMemory: ErrorExplanation("no_memory", "there is no sensor memory in it", "choose the dump of a sensor")
    case .severalDumps(let count, let listed):
      ErrorExplanation(
        "several_dumps",
        "it holds \(count.map(String.init) ?? "more than a hundred") memories: "
          + listed.map(\.text).joined(separator: "; ") + (count == listed.count ? "" : "; …"),
        "choose one with --dump \(listed.first?.number ?? 1), or decode all of them with --all")
    case .noSuchDump(let number, let count):
      ErrorExplanation(
        "no_such_dump", "it has no memory number \(number), but \(count)",
        "choose a number from 1 to \(count) with --dump")
    case .database(let words):
      ErrorExplanation(
        "database", "the database cannot be read: \(words)", "sqlite3 FILE 'PRAGMA integrity_check' tells more")
    case .databaseNotInFile:
      ErrorExplanation(
        "database_not_in_file", "it is an SQLite database, which can only be read from a file of its own",
        "unpack it if it is packed, and give the file's name")
    case .cannotWrite(let format, .noUID):
      ErrorExplanation("cannot_write", "a \(format) file must have a UID", "give it with --uid")
    case .cannotWrite(let format, .missingBlocks(let blocks)):
      ErrorExplanation(
        "cannot_write",
        "the dump lacks \(BlockText.list(blocks)), and a \(format) file cannot say so: zeros would pass for the sensor's",
        "choose hex, diable or json")
    case .cannotWrite(let format, .cutBlock(let count)):
      ErrorExplanation(
        "cannot_write", "the dump has \(count) bytes, which ends inside a block, and a \(format) file has whole blocks",
        "choose hex, json or bin")
    case .cannotWrite(let format, .tooManyBlocks(let count, let limit)):
      ErrorExplanation(
        "cannot_write", "the dump has \(count) blocks, and a \(format) file of a sensor has \(limit) at most",
        "choose hex, json or bin")
    case .cannotWrite(let format, .severalMemories):
      ErrorExplanation(
        "cannot_write",
        "a later part of the dump is a memory by itself, so that a \(format) file would be read as several",
        "choose json")
    case .cannotWrite(let format, .otherContent):
      ErrorExplanation(
        "cannot_write",
        "the dump's bytes are those of a text, a database or a packed file, which a \(format) file is not",
        "choose hex or json")
    }
  }

  public var exitStatus: Int32 {
    if case .noSuchFormat = self { 64 } else { 65 }
  }
}

extension DumpError.Found {
  /// `2 (line 47, Sensor decrypted FRAM, 3 of 3 checksums good)`.
  fileprivate var text: String {
    let about = [line.map { "line \($0)" }, label, "\(goodChecksums) of 3 checksums good"].compactMap(\.self)
    return "\(number) (\(about.joined(separator: ", ")))"
  }
}

/// The sentences about a dump that a Proxmark3 client damaged, which are an error, or a problem where salvaging was asked for.
package enum ProxmarkDefectText {
  package static let message =
    "a defect of the Proxmark3 client has overwritten the start of the memory, as it does where all 244 blocks are in one dump: the footer, the age and most history values are intact; the state, two checksums, both ring indices and most trend values are lost"
  package static let resolution =
    "read the sensor again block by block (hf 15 rdbl or rdmulti) and decode the pasted text; --salvage shows the history, placed by the age"
}

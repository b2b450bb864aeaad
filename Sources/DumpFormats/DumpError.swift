// SPDX-License-Identifier: Apache-2.0
public import CGMModel
package import SQLiteAccess

/// Why a file gives no memory. The culprit is always the file.
public enum DumpError: Error, Hashable, Sendable {
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

// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import TextFormats

/// Finds out which format a file has: every format tries, and the checksums decide.
public struct DumpDetector: Sendable {
  /// The more particular ones first: of two that read the same memory the first is named.
  public let formats: [any DumpFormat]

  public init(formats: [any DumpFormat]) { self.formats = formats }

  /// The format of a file, and its memories.
  ///
  /// With a `name` only that format is tried. Throws `unknownFormat` if none takes the file, `ambiguousFormat` if several
  /// read different memories with equally many good checksums.
  public func detect(_ file: DumpFile, as name: String? = nil) throws(DumpError) -> (
    format: String, dumps: DumpSequence
  ) {
    guard file.bytes.count <= DumpFile.sizeLimit else {
      throw .tooLarge(found: file.bytes.count, limit: DumpFile.sizeLimit)
    }
    guard !file.bytes.isEmpty else { throw .empty }
    if let name {
      guard let format = format(named: name) else { throw .noSuchFormat(name, known: formats.map(\.name)) }
      return (format.name, try format.dumps(in: file))
    }
    var found: [Candidate] = []
    var refusals: [DumpError.Refusal] = []
    for format in formats {
      do {
        found.append(Candidate(format: format.name, dumps: try format.dumps(in: file)))
      } catch {
        refusals.append(.init(format: format.name, error: error))
      }
    }
    guard let best = found.map(\.score).max() else { throw Self.verdict(on: refusals, file) }
    let winners = found.filter { $0.score == best }
    // Without one good checksum there is nothing to tell candidates apart by, but that the first is more particular.
    if best > 0, winners.contains(where: { $0.memories != winners[0].memories }) {
      throw .ambiguousFormat(winners.map(\.format))
    }
    if let failure = winners[0].failure { throw failure }
    return (winners[0].format, winners[0].dumps)
  }

  /// The one memory in a file. Throws what `detect` and `DumpChoice.only` throw.
  public func parse(_ file: [UInt8], as name: String? = nil) throws(DumpError) -> (image: MemoryImage, format: String) {
    let (format, dumps) = try detect(DumpFile(file), as: name)
    return (try DumpChoice.only.dump(in: dumps).dump.image, format)
  }

  public func format(named name: String) -> (any DumpFormat)? {
    formats.first { $0.isCalled(name) }
  }

  /// The reason of those that do not refuse only because the file is none of theirs, if it is one reason.
  private static func verdict(on refusals: [DumpError.Refusal], _ file: DumpFile) -> DumpError {
    let isOther = looksLikeAnotherLanguage(file)
    let telling = refusals.filter { !$0.error.isOtherFormat && !(isOther && $0.error.isAboutHexDigits) }
    let reasons = Set(telling.map(\.error))
    return reasons.count == 1 ? telling[0].error : .unknownFormat(telling)
  }
}

extension DumpDetector {
  /// True for JSON, XML and tables with a head: nobody means their letters as hex digits with a mistake among them.
  private static func looksLikeAnotherLanguage(_ file: DumpFile) -> Bool {
    guard let text = file.plainText else { return false }
    let start = text.drop { TextLine.isSpace($0) || $0 == 0x0A || $0 == 0x0D }
    guard let first = start.first else { return false }
    if "{[<".utf8.contains(first) { return true }
    guard first != UInt8(ascii: "#") else { return false }
    // A word: letters in a row, two of which are neither hex digits nor the x of 0x. A single one is a typing error.
    var foreign = 0
    for byte in start.prefix(while: { $0 != 0x0A && $0 != 0x0D }) {
      let letter = byte | 0x20
      guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else {
        foreign = 0
        continue
      }
      if letter > UInt8(ascii: "f"), letter != UInt8(ascii: "x") { foreign += 1 }
      if foreign > 1 { return true }
    }
    return false
  }
}

extension DumpError {
  fileprivate var isAboutHexDigits: Bool {
    switch self {
    case .notHex, .oddHexDigits: true
    default: false
    }
  }
}

/// What one format makes of a file, as far as it has to be looked at.
private struct Candidate {
  let format: String
  /// From the first on, those that were looked at among them.
  let dumps: DumpSequence
  /// The good checksums of the best memory. One that is damaged has none, but counts for more than no memory at all.
  let score: Int
  let memories: [[UInt8]]
  /// Why there is no memory, if there is none.
  let failure: DumpError?

  /// So many memories tell what the others are like.
  private static let sample = 64

  init(format: String, dumps: DumpSequence) {
    self.format = format
    var rest = dumps
    var seen: [DumpSequence.Element] = []
    while seen.count < Self.sample, let next = rest.next() { seen.append(next) }
    let found = seen.compactMap { try? $0.get() }
    memories = found.map(\.image.bytes)
    let damage = seen.lazy.compactMap(\.failure).first
    score = found.map(\.memory.goodChecksums).max() ?? (damage == nil ? -1 : 0)
    failure = found.isEmpty ? damage ?? .noMemory : nil
    var position = 0
    self.dumps = DumpSequence {
      guard position < seen.count else { return rest.next() }
      defer { position += 1 }
      return seen[position]
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

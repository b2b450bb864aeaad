// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import Libre1Core
import TextFormats

/// Detects the format of a file: every format tries to read it, and the checksums decide.
package struct DumpDetector: Sendable {
  /// The formats, the more specific ones first: if two read the same memory, the first is reported.
  package let formats: [any DumpFormat]

  package init(formats: [any DumpFormat]) { self.formats = formats }

  /// The search that is tried after all formats; nil in a catalogue without one.
  package var search: (any DumpFormat)? { formats.first(where: \.isLastResort) }

  /// Tries only the format of a given `name`. Throws `unknownFormat`, and `ambiguousFormat` if several read different
  /// memories with the same number of correct checksums.
  package func detect(_ file: DumpFile, as name: String? = nil) throws(DumpError) -> (
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
    for format in formats where !format.isLastResort {
      do {
        found.append(Candidate(format: format.name, dumps: try format.dumps(in: file)))
      } catch {
        refusals.append(.init(format: format.name, error: error))
      }
    }
    guard let best = found.map(\.score).max() else {
      let error = Self.verdict(on: refusals, file)
      if let last = lastResort(file, after: error) { return last }
      throw error
    }
    let winners = found.filter { $0.score == best }
    if best < 1, let last = lastResort(file, after: winners[0].failure, beside: winners[0].memories) { return last }
    // Without a correct checksum the candidates cannot be compared, and the first, the most specific one, is used.
    if best > 0, winners.contains(where: { $0.memories != winners[0].memories }) {
      throw .ambiguousFormat(winners.map(\.format))
    }
    if let failure = winners[0].failure { throw failure }
    return (winners[0].format, winners[0].dumps)
  }

  /// The one memory in a file. Throws the errors of `detect` and of `DumpChoice.only`.
  package func parse(_ file: [UInt8], as name: String? = nil) throws(DumpError) -> (image: MemoryImage, format: String)
  {
    let (format, dumps) = try detect(DumpFile(file), as: name)
    return (try DumpChoice.only.dump(in: dumps).dump.image, format)
  }

  /// The memories that a search finds in a file of which no format reads a sound one. If a format names damage, only
  /// memories without any count, because the others may be those that it means. Of memories that a format reads as well,
  /// as of encrypted ones, the format knows more.
  private func lastResort(
    _ file: DumpFile, after error: DumpError?, beside known: [[UInt8]] = []
  ) -> (format: String, dumps: DumpSequence)? {
    if let error, !error.mayHideMemory { return nil }
    let isNamed =
      switch error {
      case .unknownFormat, nil: false
      // A longer file is not a memory with something missing or added.
      case .wrongLength(let count): count <= MemoryMap.fullByteCount
      default: true
      }
    for format in formats where format.isLastResort {
      guard let found = (try? format.dumps(in: file)).map(Array.init), !found.isEmpty else { continue }
      let memories = found.compactMap { (try? $0.get())?.image.bytes }
      if memories.allSatisfy({ memory in known.contains { $0.starts(with: memory) } }), !memories.isEmpty { continue }
      if case .wrongLength(let count)? = error, count < MemoryMap.byteCount + MemoryMap.blockSize,
        found.contains(where: { (try? $0.get())?.found?.isOfWholeFile ?? true })
      {
        continue
      }
      if isNamed, !found.allSatisfy({ (try? $0.get()).map(Self.isWithoutDamage) ?? false }) { continue }
      return (format.name, DumpSequence(found))
    }
    return nil
  }

  private static func isWithoutDamage(_ dump: Dump) -> Bool {
    dump.memory.integrity.trustedRegions == 3 || RecoveredKey(dump.image) != nil
  }

  package func format(named name: String) -> (any DumpFormat)? {
    formats.first { $0.isCalled(name) }
  }

  /// Returns the reason of those formats that recognise the file but cannot read it, if they have the same reason.
  private static func verdict(on refusals: [DumpError.Refusal], _ file: DumpFile) -> DumpError {
    let isOther = looksLikeAnotherLanguage(file)
    let telling = refusals.filter { !$0.error.isOtherFormat && !(isOther && $0.error.isAboutHexDigits) }
    let reasons = Set(telling.map(\.error))
    if reasons.count == 1 { return telling[0].error }
    // No format of text was recognised: another encoding may be the reason.
    if telling.isEmpty, let error = file.otherEncoding { return error }
    return .unknownFormat(telling)
  }

  /// True for JSON, XML and tables with a header, whose letters are not hex digits with a typing error among them.
  private static func looksLikeAnotherLanguage(_ file: DumpFile) -> Bool {
    guard let text = file.plainText else { return false }
    let start = text.drop { TextLine.isSpace($0) || $0 == 0x0A || $0 == 0x0D }
    guard let first = start.first else { return false }
    if "{[<".utf8.contains(first) { return true }
    guard first != UInt8(ascii: "#") else { return false }
    // A word: several letters in a row, two of which are neither hex digits nor the x of 0x. One alone is a typing
    // error.
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

private struct Candidate {
  let format: String
  /// All memories from the first, including those already compared.
  let dumps: DumpSequence
  /// Good checksums of the best memory; 0 for a damaged one, which is still more than without a memory.
  let score: Int
  let memories: [[UInt8]]
  let failure: DumpError?

  private static let comparedLimit = 64

  init(format: String, dumps: DumpSequence) {
    self.format = format
    var rest = dumps
    var seen: [DumpSequence.Element] = []
    while seen.count < Self.comparedLimit, let next = rest.next() { seen.append(next) }
    let found = seen.compactMap { try? $0.get() }
    memories = found.map(\.image.bytes)
    let damage = seen.lazy.compactMap { if case .failure(let error) = $0 { error } else { nil } }.first
    score = found.map(\.memory.integrity.trustedRegions).max() ?? (damage == nil ? -1 : 0)
    failure = found.isEmpty ? damage ?? .noMemory : nil
    var position = 0
    self.dumps = DumpSequence {
      guard position < seen.count else { return rest.next() }
      defer { position += 1 }
      return seen[position]
    }
  }
}

extension FoundPlace {
  /// True if the memory is what the file consists of, and the bytes after it are too few for a block: one of them may be
  /// in a wrong place.
  fileprivate var isOfWholeFile: Bool {
    layer == DigitReading.hex.layer || layer == FileSearch.bytesLayer && range.lowerBound == 0
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A Libre 1 memory read the slow and obvious way: every offset of Libre1Core/MemoryFormat, "Regions" to 5 written out
/// here, every field put together bit by bit, every checksum by its definition. It shares nothing with the decoder,
/// which is held against it.
struct SlowMemory {
  enum Verdict: Equatable { case ok, torn, bad, absent }

  /// Header, body, footer; each begins with its checksum.
  static let regions = [0..<24, 24..<320, 320..<344]

  let bytes: [UInt8]
  let missing: Set<Int>
  let header: Verdict
  let body: Verdict
  let footer: Verdict
  /// With the footer of another scan, where its own is not trusted.
  let known: [UInt8]
  let isFooterKnown: Bool
  let i1, i2, i3, i4, i5, i6: Int

  /// `bytes` are 344 or more.
  init(_ bytes: [UInt8], missing: Set<Int> = [], footer remembered: [UInt8]? = nil) {
    self.bytes = Array(bytes.prefix(344))
    self.missing = missing
    header = Self.verdict(self.bytes, 0..<24, missing)
    footer = Self.verdict(self.bytes, 320..<344, missing)
    var body = Self.verdict(self.bytes, 24..<320, missing)
    let age = Int(bytes[316]) + 256 * Int(bytes[317])
    if body == .bad, age > 0 {
      var before = self.bytes
      before[316] = UInt8((age - 1) % 256)
      before[317] = UInt8((age - 1) / 256)
      if Self.verdict(before, 24..<320, missing) == .ok { body = .torn }
    }
    self.body = body
    var known = self.bytes
    let isRemembered = footer != .ok && remembered?.count == 24
    if isRemembered, let remembered { known.replaceSubrange(320..<344, with: remembered) }
    self.known = known
    isFooterKnown = footer == .ok || isRemembered
    func bits(_ range: ClosedRange<Int>, at offset: Int) -> Int { Self.bits(range, at: offset, of: known) }
    i1 = bits(0...2, at: 2)
    i2 = bits(3...12, at: 2)
    i3 = bits(33...33, at: 336) == 1 ? -bits(0...7, at: 336) : bits(0...7, at: 336)
    i4 = bits(8...21, at: 336)
    i5 = 4 * bits(40...51, at: 336)
    i6 = 4 * bits(52...63, at: 336)
  }

  private static func verdict(_ bytes: [UInt8], _ region: Range<Int>, _ missing: Set<Int>) -> Verdict {
    if !missing.isEmpty, missing.contains(where: { region.contains($0 * 8) }) { return .absent }
    let stored = UInt16(bytes[region.lowerBound]) + 256 * UInt16(bytes[region.lowerBound + 1])
    return BitwiseCRC.checksum(bytes[region.lowerBound + 2..<region.upperBound]) == stored ? .ok : .bad
  }

  /// None of the three checksums holds.
  var isUnreadable: Bool { header == .bad && body == .bad && footer == .bad }

  /// Whether it can be decoded: its body holds, or may be salvaged as long as the age is there, and the ring indices are
  /// those of slots.
  func isReadable(salvaging: Bool) -> Bool {
    let hasBody =
      switch body {
      case .ok, .torn: true
      case .bad: salvaging
      case .absent: salvaging && !missing.contains(39)
      }
    return hasBody && (trendIndex ?? 0) < 16 && (historyIndex ?? 0) < 32
  }

  // MARK: Numbers

  func number(at offset: Int) -> Int { Int(known[offset]) + 256 * Int(known[offset + 1]) }

  /// A run of bits of the number that begins at a byte, the lowest first.
  func bits(_ range: ClosedRange<Int>, at offset: Int) -> Int { Self.bits(range, at: offset, of: known) }

  private static func bits(_ range: ClosedRange<Int>, at offset: Int, of bytes: [UInt8]) -> Int {
    var value = 0
    var bit = range.upperBound
    while bit >= range.lowerBound {
      value = value * 2 + Int(bytes[offset + bit / 8] >> UInt8(bit % 8)) % 2
      bit -= 1
    }
    return value
  }

  // MARK: Header and footer

  var state: Int? { header == .ok ? Int(bytes[4]) : nil }
  var maxLife: Int? { isFooterKnown ? number(at: 326) : nil }
  var minimumRaw: Int { isFooterKnown ? Int(known[330]) : 150 }

  /// The log of states left; nothing in state 6, where a failure stands in its place.
  var log: [(code: Int, minute: Int)] {
    guard let state, state != 6 else { return [] }
    return (0..<min(6, bits(13...15, at: 2))).map { (Int(bytes[6 + 3 * $0]), number(at: 7 + 3 * $0)) }
  }

  // MARK: Body

  /// As the checksum has it.
  var age: Int { number(at: 316) - (body == .torn ? 1 : 0) }
  /// Both indices are in block 3.
  var trendIndex: Int? { missing.contains(3) ? nil : Int(bytes[26]) }
  var historyIndex: Int? { missing.contains(3) ? nil : Int(bytes[27]) }

  /// nil if it is unknown.
  var newestTrend: Int? {
    trendIndex.map { index in
      var minute = age
      while (minute - index) % 16 != 0 { minute -= 1 }
      return minute
    }
  }

  /// The last minute for which a history record can be there.
  var lastHistory: Int? {
    if let maxLife { return min(age, maxLife) }
    if let end = log.first(where: { $0.code == 3 }) { return min(age, end.minute) }
    return state.map { (1...3).contains($0) } == true ? age : nil
  }

  var newestHistory: Int? {
    lastHistory.map { last in
      guard let historyIndex else { return max(0, last - 3) / 15 * 15 }
      var quarter = last / 15
      while (quarter - historyIndex) % 32 != 0 { quarter -= 1 }
      return 15 * quarter
    }
  }

  /// A record and its minute, newest first; those without bytes left out.
  func records(_ ring: (offset: Int, slots: Int, step: Int), newest: Int?) -> [SlowRecord] {
    guard let newest else { return [] }
    return (0..<ring.slots).compactMap { index in
      let minute = newest - index * ring.step
      guard minute > 0 else { return nil }
      let slot = (minute / ring.step - 1) % ring.slots
      let place = ring.offset + 6 * slot
      if missing.contains(place / 8) || missing.contains((place + 5) / 8) { return nil }
      return SlowRecord(self, at: place, minute: minute)
    }
  }

  var trend: [SlowRecord] { records((28, 16, 1), newest: newestTrend) }
  var history: [SlowRecord] { records((124, 32, 15), newest: newestHistory) }
}

/// Six bytes of a ring.
struct SlowRecord {
  let minute: Int
  let glucose: Int
  let errorField: Int
  let hasError: Bool
  let temperature: Int
  let adjustment: Int
  let isNeverWritten: Bool

  init(_ memory: SlowMemory, at place: Int, minute: Int) {
    self.minute = minute
    glucose = memory.bits(0...13, at: place)
    errorField = memory.bits(14...24, at: place)
    hasError = memory.bits(25...25, at: place) == 1
    temperature = 4 * memory.bits(26...37, at: place)
    let magnitude = 4 * memory.bits(38...46, at: place)
    adjustment = memory.bits(47...47, at: place) == 1 ? -magnitude : magnitude
    isNeverWritten = memory.bytes[place..<place + 6].allSatisfy { $0 == 0 }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TestSupport

/// A file in memory that is returned in pieces.
struct HistoryText: HistoryFile {
  let bytes: [UInt8]
  var pieceLength = 11

  init(_ text: String, pieceLength: Int = 11) { self.init(Array(text.utf8), pieceLength: pieceLength) }

  init(_ bytes: [UInt8], pieceLength: Int = 11) { (self.bytes, self.pieceLength) = (bytes, pieceLength) }

  var head: [UInt8] { Array(bytes.prefix(65_536)) }

  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError) {
    for start in stride(from: 0, to: bytes.count, by: pieceLength) {
      try chunk(Array(bytes[start..<min(start + pieceLength, bytes.count)]))
    }
  }
}

extension HistoryReader {
  /// The part of a file that is read, and the facts about the rest.
  func found(
    in text: String, _ options: ImportOptions = .twoHoursAhead, pieceLength: Int = 11
  ) throws(HistoryError) -> (entries: [HistoryEntry], facts: HistoryFacts) {
    var entries: [HistoryEntry] = []
    let facts = try read(HistoryText(text, pieceLength: pieceLength), options) { entries.append($0) }
    return (entries, facts)
  }

  func entries(
    _ text: String, _ options: ImportOptions = .twoHoursAhead, pieceLength: Int = 11
  ) throws(HistoryError) -> [HistoryEntry] {
    try entries(of: HistoryText(text, pieceLength: pieceLength), options)
  }

  func entries(
    of file: any HistoryFile, _ options: ImportOptions = .twoHoursAhead
  ) throws(HistoryError) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    let facts = try read(file, options) { entries.append($0) }
    if let error = facts.refused.error { throw error }
    return entries
  }
}

extension ImportOptions {
  /// A clock two hours ahead of UTC, set back two days before 2024-03-31: 02:30 of that day does not exist on it.
  static let twoHoursAhead = ImportOptions(
    clock: LocalClock {
      (Instant("2024-03-29T10:00:00Z")..<Instant("2024-03-31T01:00:00Z")).contains($0) ? 3_600 : 7_200
    })

  /// Clocks in Rome in 2024: two hours ahead of UTC from 31 March to 27 October, both at 01:00 UTC, else one.
  static let rome = ImportOptions(
    clock: LocalClock {
      (Instant("2024-03-31T01:00:00Z")..<Instant("2024-10-27T01:00:00Z")).contains($0) ? 7_200 : 3_600
    })

  func with(unit: GlucoseUnit? = nil, dateOrder: DateOrder? = nil) -> ImportOptions {
    ImportOptions(dateOrder: dateOrder, unit: unit, clock: clock)
  }
}

extension Instant {
  /// A time in a test: `2024-05-02T10:15:00Z`.
  init(_ text: String) { self = Instant(rfc3339: text) ?? Instant(secondsSince1970: .min) }
}

/// An imported value, in short form for tests.
func value(
  _ source: String, _ device: String?, _ time: String, _ milligrams: Double, ring: SampleRing = .history,
  bound: ImportedSample.Bound? = nil, id: SampleID? = nil
) -> HistoryEntry {
  .value(milligrams, at: Instant(time), source: source, device: device, ring: ring, bound: bound, id: id)
}

func stick(
  _ source: String?, _ time: String, _ milligrams: Double, note: String? = nil, id: SampleID? = nil
) -> HistoryEntry {
  .fingerStick(FingerStick(milligrams, at: Instant(time), note: note, source: source, id: id))
}

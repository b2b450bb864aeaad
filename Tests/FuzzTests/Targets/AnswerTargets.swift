// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import NFCTransport

@testable import LibreKit
@testable import NFCTransport

/// A whole scan through each way in which readers hand over a tag's answers, while some of these are spoilt: it ends, with
/// an error or with the truth.
enum AnswerTargets {
  static let all =
    dialects.map { name, dialect in
      let dialect = UnderstoodDialect(dialect)
      return FuzzTarget(name: "answers-\(name)", seeds: { seeds }, words: words, longest: 1_024, testRuns: 60) {
        input in
        // READ BINARY cannot distinguish a refusal from silence: only sensors that refuse nothing are read whole.
        let count = dialect.dialect is ReadBinary ? 4 : scenarios.count
        try scan(input, of: scenarios.prefix(count)) { FuzzedReader($0, tag: $1, dialect: dialect) }
      }
    } + [
      FuzzTarget(name: "answers-pn532killer", seeds: { seeds }, words: words, longest: 1_024, testRuns: 60) { input in
        try scan(input, of: scenarios[...]) { FuzzedReader($0, tag: $1, dialect: nil) }
      }
    ]

  /// Variants with the same name are distinguished.
  private static let dialects: [(name: String, dialect: any ReaderDialect)] = CardConversation.dialects.enumerated().map
  {
    index, dialect in
    let isVariant = CardConversation.dialects.prefix(index).contains { $0.name == dialect.name }
    return (isVariant ? "\(dialect.name)-2" : dialect.name, dialect)
  }

  /// The sensor, then what happens to each answer (`AnswerScript`).
  private static let seeds: [[UInt8]] =
    (0..<UInt8(scenarios.count)).map { [$0] } + [
      [0, 0, 0, 0, 0, 6, 0, 0], [0, 0, 0, 3, 4, 0x01, 0x0F, 0x90, 0x00, 0, 3, 2, 0x6A, 0x81],
      [1, 4, 9, 1, 5, 3, 0, 0, 7, 2, 9],
      [0] + [UInt8](repeating: 5, count: 64), [1] + (0..<200).map { UInt8($0 * 7 % 256) },
    ]

  private static let words = ["\u{0}", "\u{1}\u{0F}", "j\u{0}", "m\u{0}", "o\u{0}"]

  private static let scenarios = ["active", "libre2", "us-14-day", "young", "block-42-missing", "pro"].compactMap(
    Scenario.named)

  private static func scan(
    _ input: [UInt8], of scenarios: ArraySlice<Scenario>,
    _ reader: @escaping @Sendable (AnswerScript, SimulatedTag) -> FuzzedReader
  ) throws {
    var draw = FuzzBytes(input)
    let truth = scenarios[draw.index(below: scenarios.count)].image(seed: 1)
    let script = AnswerScript(Array(draw.rest))
    try CallingThread.run {
      let open = ReaderSession(
        reader(script, SimulatedTag { _ in truth }), settings: try SensorReader(at: "sim:active"))
      let report = await open.scan()
      await open.close()
      let image = report.image
      try require(image.missingBlocks.allSatisfy { $0 < image.bytes.count / 8 }, "a missing block of the image")
      if !script.hasSpoilt {
        try require(report.failure == nil, "nothing was spoilt: \(String(describing: report.failure))")
        try require(image.uid == truth.uid, "the UID")
        for block in 0..<image.bytes.count / 8 where !image.missingBlocks.contains(block) {
          let place = 8 * block..<8 * block + 8
          try require(
            place.upperBound <= truth.bytes.count && image.bytes[place] == truth.bytes[place], "block \(block)")
        }
        let (read, shown) = (Self.blocks(of: image), Self.blocks(of: truth))
        try require(read.isSuperset(of: shown), "what the sensor shows is read: \(shown.subtracting(read).sorted())")
      }
      if let reading = try? open.reading(of: report) { try ReadingOracle.life(reading) }
    }
    try require(script.count < 4_000 + 8 * input.count, "\(script.count) exchanges")
  }

  /// Of the part that every sensor has, those that are there.
  private static func blocks(of image: MemoryImage) -> Set<Int> {
    Set(0..<min(43, image.bytes.count / 8)).subtracting(image.missingBlocks)
  }
}

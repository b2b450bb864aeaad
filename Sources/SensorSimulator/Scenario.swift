// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A situation that readers of sensors have to handle, as a memory made from a seed.
///
/// The same seed gives the same bytes on every machine. All scenarios with the same seed and product are the same
/// sensor, at different ages and with different problems.
package struct Scenario: Sendable {
  /// The required result of decoding.
  package enum Expectation: Hashable, Sendable {
    /// A reading, possibly with problems.
    case decodes
    /// An error with this code.
    case rejected(code: String)
  }

  /// The name in lower-case words with dashes: `active-trend-lag`.
  package let name: String
  /// A description in one sentence.
  package let summary: String
  package let expectation: Expectation
  private let make: @Sendable (UInt64) -> MemoryImage

  init(
    _ name: String, _ summary: String, _ expectation: Expectation = .decodes,
    make: @escaping @Sendable (UInt64) -> MemoryImage
  ) {
    self.name = name
    self.summary = summary
    self.expectation = expectation
    self.make = make
  }

  /// Returns the memory with an invented UID (`E007A0FF…`, `E007A4FF…` for a Libre 2 or Pro), patch info and read time.
  package func image(seed: UInt64) -> MemoryImage { make(seed) }

  /// Returns the memory alone: 344 bytes; 176 or more for a Libre Pro, 1952 for a full memory.
  package func memory(seed: UInt64) -> [UInt8] { make(seed).bytes }

  /// Returns the scenario with this name, or nil.
  package static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

  /// All scenarios: the stages of a sensor's life, unusual memories, damaged ones, other products.
  package static let all: [Scenario] = life + ages + oddities + damage + products
}

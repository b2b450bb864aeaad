// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A situation that a reader of sensors meets, or should survive, as bytes that a seed makes.
///
/// The same seed gives the same bytes on every machine; all scenarios of one seed and product are the same sensor, seen
/// at different ages and in different trouble.
public struct Scenario: Sendable {
  /// What a decoder must make of it.
  public enum Expectation: Hashable, Sendable {
    /// A reading, perhaps with problems.
    case decodes
    /// An error with this code (Libre1Core/MemoryFormat, "Error field").
    case rejected(code: String)
  }

  /// Lower-case words with dashes: `active-trend-lag`.
  public let name: String
  /// One sentence: what it shows.
  public let summary: String
  public let expectation: Expectation
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

  /// The memory with an invented UID (`E007A0FF…`, `E007A4FF…` for a Libre 2 or Pro), patch info and read time.
  public func image(seed: UInt64) -> MemoryImage { make(seed) }

  /// The memory alone: 344 bytes, but 176 and more of a Libre Pro and 1952 of a full memory.
  public func memory(seed: UInt64) -> [UInt8] { make(seed).bytes }

  /// The scenario with this name, or nil.
  public static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

  /// All of them: a sensor's life in order, then its oddities, then damage, then other products.
  public static let all: [Scenario] = life + ages + oddities + damage + products
}

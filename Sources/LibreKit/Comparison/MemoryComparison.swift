// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import GlucoseReport
import Libre1Core

/// What the choice of a calibration costs: several of them over the same memories, each held against the factory's.
public struct MemoryComparison: Sendable {
  /// One memory.
  public struct Memory: Sendable {
    /// As it was given, and its number in a file of several.
    public let path: String
    public let dump: Int?
    public let comparison: Comparison
  }

  public private(set) var memories: [Memory] = []
  private let calibrations: [(name: String, choice: CalibrationChoice)]

  public init(calibrations: [(name: String, choice: CalibrationChoice)]) { self.calibrations = calibrations }

  /// Takes in a reading that was made with the factory's calibration.
  ///
  /// Samples that both call good make a pair. Throws what decoding it with another calibration throws.
  public mutating func add(_ reading: SensorReading, path: String, dump: Int?) throws(LibreError) {
    var models: [Comparison.Model] = []
    let memory = CheckedImage(reading.memory)
    for (name, choice) in calibrations {
      let other = try ReadingAssembly(
        memory: memory, readAtSource: reading.readAtSource, source: reading.source
      ).reading(calibration: choice, salvaging: reading.isSalvaged)
      models.append(Comparison.Model(name: name, pairs: Self.pairs(reading, other)))
    }
    let count = reading.samples.count { $0.usableConcentration != nil }
    memories.append(
      Memory(
        path: path, dump: dump,
        comparison: Comparison(reference: CalibrationChoice.factory.name, referenceCount: count, models: models)))
  }

  /// All memories together; a value that stands in several of them counts in each.
  public var total: Comparison {
    Comparison(
      reference: CalibrationChoice.factory.name,
      referenceCount: memories.reduce(0) { $0 + $1.comparison.referenceCount },
      models: calibrations.indices.map { index in
        Comparison.Model(
          name: calibrations[index].name, pairs: memories.flatMap { $0.comparison.models[index].pairs })
      })
  }

  private static func pairs(_ reading: SensorReading, _ other: SensorReading) -> [GlucosePair] {
    zip(reading.history + reading.trend, other.history + other.trend).compactMap { sample, same in
      guard let reference = sample.usableConcentration, let value = same.concentration else {
        return nil
      }
      // Without a time of the read, the sensor's own clock orders them.
      let time = sample.time ?? Instant(secondsSince1970: 0).adding(minutes: sample.minute.value)
      return GlucosePair(time: time, reference: reference, sensor: value)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import DumpFormats
package import GlucoseReport

/// The values of several calibrations for the same measurements, compared with a reference.
package struct Comparison: Sendable {
  package typealias Calibration = (name: String, choice: CalibrationChoice)

  package struct Model: Sendable {
    package let name: String
    package let pairs: [GlucosePair]
    package let metrics: AgreementMetrics

    init(name: String, pairs: [GlucosePair]) {
      (self.name, self.pairs) = (name, pairs)
      metrics = AgreementMetrics(pairs)
    }
  }

  /// The reference in words: finger-sticks, a file, a calibration.
  package let reference: String
  package let referenceCount: Int
  /// The meters and programs that finger-sticks come from; empty for another reference.
  package var referenceSources: [ReferenceValues.Source] = []
  package let models: [Model]

  package var maximumPairs: Int { models.map(\.pairs.count).max() ?? 0 }
}

/// Several calibrations on the same memories, each compared with the factory's.
package struct MemoryComparison: Sendable {
  package struct Memory: Sendable {
    package let path: String
    package let dump: Int?
    package let comparison: Comparison
  }

  package private(set) var memories: [Memory] = []
  private let calibrations: [Comparison.Calibration]

  package init(calibrations: [Comparison.Calibration]) { self.calibrations = calibrations }

  /// Adds a reading with the factory's calibration. Samples that are usable with both calibrations form pairs.
  package mutating func add(_ reading: SensorReading, path: String, dump: Int?) throws(LibreError) {
    if reading.lacksMemory { throw .dump(.recordsOnly) }
    var models: [Comparison.Model] = []
    let memory = CheckedMemory(reading.memory)
    for (name, choice) in calibrations {
      let other = try DumpReading(memory: memory, readAtSource: reading.readAtSource, source: reading.source)
        .reading(calibration: choice, salvaging: reading.isSalvaged)
      models.append(Comparison.Model(name: name, pairs: Self.pairs(reading, other)))
    }
    let count = reading.samples.count { $0.usableConcentration != nil }
    let comparison = Comparison(reference: CalibrationChoice.factory.name, referenceCount: count, models: models)
    memories.append(Memory(path: path, dump: dump, comparison: comparison))
  }

  /// All memories together; a value in several memories counts several times.
  package var total: Comparison {
    Comparison(
      reference: CalibrationChoice.factory.name,
      referenceCount: memories.reduce(0) { $0 + $1.comparison.referenceCount },
      models: calibrations.indices.map { index in
        Comparison.Model(name: calibrations[index].name, pairs: memories.flatMap { $0.comparison.models[index].pairs })
      })
  }

  private static func pairs(_ reading: SensorReading, _ other: SensorReading) -> [GlucosePair] {
    zip(reading.history + reading.trend, other.history + other.trend).compactMap { sample, same in
      guard let reference = sample.usableConcentration, let value = same.concentration else { return nil }
      // The sensor's minutes give the order if the time of the scan is unknown.
      let time = sample.time ?? Instant(secondsSince1970: 0).adding(minutes: sample.minute.value)
      return GlucosePair(time: time, reference: reference, sensor: value)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import Libre1Core
import LibreKit
package import SampleStore
package import TestSupport
import Testing

@testable import SensorHistory

/// A store in a folder of its own, filled with scans of simulated sensors.
package struct StoredHistory {
  package let folder: TemporaryDirectory
  package let store: SensorStore

  package init() throws {
    folder = try TemporaryDirectory(isInMemory: true)
    store = try StoreFile.openForWriting(folder.path + "/history.sqlite")
  }

  /// Scans a sensor as many seconds after the beginning of the minute of its age as `second` says, by a clock that is
  /// ahead by `clockAhead` seconds.
  @discardableResult package func scan(
    _ sensor: SimulatedSensor, atAge age: Int, second: Int64 = 0, clockAhead: Int64 = 0, isDated: Bool = true
  ) throws -> SensorReading {
    let image = sensor.image(atAge: age)
    var options = DecodeOptions()
    (options.uid, options.patchInfo) = (image.uid, image.patchInfo)
    if isDated {
      let start = sensor.activatedAt.adding(minutes: age).secondsSince1970
      options.readTime = .at(Instant(secondsSince1970: start + second + clockAhead))
    }
    let reading = try DumpDecoder(options: options).decode(image.bytes)
    return try store.remember(reading, calibration: .factory, zone: nil).reading
  }

  package func add(
    _ value: Double, at time: Instant, source: String = "libreview", ring: SampleRing = .history,
    bound: ImportedSample.Bound? = nil
  ) throws {
    let id = SampleID(name: "test/\(source)/\(ring)/\(time.secondsSince1970)")
    let entry = HistoryEntry.value(value, at: time, source: source, ring: ring, bound: bound, id: id)
    #expect(try store.add(entry) == .added)
  }

  /// The store as a command opens it.
  package var shown: SensorStore { get throws { try StoreFile.openForReading(folder.path + "/history.sqlite") } }
}

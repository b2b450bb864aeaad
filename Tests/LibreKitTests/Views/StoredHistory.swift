// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import SampleStore
import SensorSimulator
import TestSupport
import Testing

@testable import LibreKit

/// A store in a folder of its own, filled with scans of simulated sensors.
struct StoredHistory {
  let folder: TemporaryDirectory
  let store: SensorStore

  init() throws {
    folder = try TemporaryDirectory(isInMemory: true)
    store = try StoreFile.openForWriting(folder.path + "/history.sqlite")
  }

  /// Scans a sensor as many seconds after the beginning of the minute of its age as `second` says, by a clock that is
  /// ahead by `clockAhead` seconds.
  @discardableResult func scan(
    _ sensor: SimulatedSensor, atAge age: Int, second: Int64 = 0, clockAhead: Int64 = 0, isDated: Bool = true
  ) throws -> SensorReading {
    var image = sensor.image(atAge: age)
    let start = sensor.activatedAt.adding(minutes: age).secondsSince1970
    image.readAt = isDated ? Instant(secondsSince1970: start + second + clockAhead) : nil
    let reading = try ReadingAssembly(
      image: image, readAtSource: isDated ? .clock : .unknown,
      source: ReadingSource(tool: Program.tool, path: nil, format: nil, dump: nil, sha256: "")
    ).reading(calibration: .factory, salvaging: false)
    return try store.remember(reading, calibration: .factory, zone: nil).reading
  }

  func add(
    _ value: Double, at time: Instant, source: String = "libreview", ring: SampleRing = .history,
    bound: ImportedSample.Bound? = nil
  ) throws {
    let id = UUIDv5.id(of: "test/\(source)/\(ring)/\(time.secondsSince1970)")
    let entry = HistoryEntry.imported(
      ImportedSample(
        id: id, source: source, device: nil, ring: ring, time: time,
        concentration: GlucoseConcentration(milligramsPerDecilitre: value), bound: bound))
    #expect(try store.add(entry) == .added)
  }

  /// The store as a command opens it.
  var shown: SensorStore { get throws { try StoreFile.openForShowing(folder.path + "/history.sqlite") } }
}

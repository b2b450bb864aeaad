// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import LibreKit
import Testing

/// The two examples of the documentation, as they stand there.
struct ExamplesTests {
  @Test("a program reads a sensor with one call")
  func read() async throws {
    let reading = try await SensorReader(at: "sim:active").read()
    #expect(reading.sensor.state == .active)
    #expect(reading.sensor.serial?.count == 11)
    #expect(reading.samples.count == 48)
    #expect(reading.samples.map(\.minute) == reading.samples.map(\.minute).sorted(by: >))
  }

  @Test("a program decodes a dump with one call")
  func decode() throws {
    let path = Repository.dumps.appendingPathComponent("active.hex").path
    let reading = try DumpDecoder().decode(contentsOf: path)
    #expect(reading.sensor.state == .active)
    #expect(reading.samples.count == 48)
    #expect(reading.samples.map(\.minute) == reading.samples.map(\.minute).sorted(by: >))
    #expect(reading.samples.first?.ring == .trend)
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import LibreKit
import TestSupport
import Testing

/// The two examples of the documentation, as they stand there.
struct ExamplesTests {
  @Test("a program reads a sensor with one call")
  func read() async throws {
    let reading = try await SensorReader(at: "sim:active").read()
    let state = reading.sensor.state
    #expect(state == .active)
    #expect(reading.sensor.serial?.count == 11)
    #expect(reading.samples.count == 48)
    #expect(reading.samples.map(\.minute) == reading.samples.map(\.minute).sorted(by: >))
  }

  @Test("a program decodes a dump with one call")
  func decode() throws {
    let path = Repository.dumps.appendingPathComponent("active.hex").path
    let reading = try DumpDecoder().decode(contentsOf: path)
    var plotted: [SensorMinute] = []
    func plot(_ minute: SensorMinute, _ concentration: GlucoseConcentration?) { plotted.append(minute) }
    for sample in reading.samples where sample.quality == .ok {
      plot(sample.minute, sample.concentration)
    }
    #expect(plotted == reading.samples.map(\.minute))
    #expect(reading.sensor.state == .active)
    #expect(reading.samples.count == 48)
    #expect(reading.samples.map(\.minute) == reading.samples.map(\.minute).sorted(by: >))
    #expect(reading.samples.first?.ring == .trend)
  }

  @Test(
    "the documents show nothing but what is compiled here",
    arguments: [
      "README.md", "Sources/LibreKit/LibreKit.docc/LibreKit.md",
    ])
  func documents(path: String) throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let compiled = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    let document = try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
    let blocks = document.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(!blocks.isEmpty)
    for line in blocks.flatMap({ $0.split(separator: "\n") }) {
      let code = line.trimmingCharacters(in: .whitespaces)
      #expect(compiled.contains(code), "\(path) shows a line that no test compiles: \(code)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("The example program", .onOwnThreads, .startsProcesses)
struct FollowSensorTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// The program lies beside the test bundle, as the command does. It is compiled with public declarations only.
  private func run(_ arguments: String...) throws -> Outcome {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("FollowSensorExample").path
    return try sandbox.run(program: program, arguments)
  }

  @Test("reads a sensor, decodes a dump and follows the sensor")
  func reads() throws {
    let dump = Repository.dumps.appendingPathComponent("active.hex").path
    let outcome = try run("sim:active", dump)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let lines = outcome.lines
    try #require(lines.count == 8, "\(outcome)")
    let summary = #/[0-9.]+ mg/dL, [0-9]+ minutes old, 32 history and 16 trend samples/#
    #expect(lines[0].firstMatch(of: #/^read sim:active: /#) != nil && lines[0].firstMatch(of: summary) != nil)
    #expect(lines[1].hasPrefix("decoded \(dump): ") && lines[1].firstMatch(of: summary) != nil)
    for line in lines[2...4] { #expect(line.wholeMatch(of: #/  minute [0-9]+: [0-9.]+ mg/dL/#) != nil, "\(line)") }
    for number in 1...3 {
      let line = lines[4 + number]
      #expect(line.hasPrefix("reading \(number): ") && line.firstMatch(of: summary) != nil, "\(line)")
    }
  }

  @Test("depends on products and traits that the package has")
  func manifest() throws {
    func described(_ folder: String) throws -> JSONValue {
      let text = try ProgramRun.output(
        "swift", ["package", "dump-package", "--scratch-path", sandbox.path("scratch")],
        in: Repository.root.appendingPathComponent(folder))
      return try JSONValue(parsing: text.utf8)
    }
    let package = try described(".")
    let example = try described("Examples/FollowSensor")
    let products = package["products"].elements.compactMap { $0["name"].text }
    let wanted = example["targets"][0]["dependencies"].elements.compactMap { $0["product"][0].text }
    #expect(wanted == ["LibreKit"] && Set(wanted).isSubset(of: products), "\(wanted)")
    let traits = Set(package["traits"].elements.compactMap { $0["name"].text })
    let dependency = example["dependencies"][0]["fileSystem"][0]
    let enabled = dependency["traits"].elements.compactMap { $0["name"].text }
    #expect(!enabled.isEmpty && traits.isSuperset(of: enabled), "\(enabled)")
    #expect(URL(fileURLWithPath: dependency["path"].text ?? "").lastPathComponent == Repository.root.lastPathComponent)
  }
}

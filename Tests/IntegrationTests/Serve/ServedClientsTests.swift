// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing

/// Other people's clients against the running server.
@Suite("Clients of libre serve", .onOwnThreads, .startsProcesses)
struct ServedClientsTests {
  private static let secret = "correct horse battery"
  static let canAsk = ForeignPython.has("py_nightscout", "aiohttp")

  @Test(
    "Home Assistant's client reads the values of the store", .enabled(if: canAsk, "\(ForeignPython.absence)")
  )
  func homeAssistant() throws {
    let server = try RunningServer(environment: ["LIBRE_SERVE_SECRET": Self.secret])
    let outcome = try ForeignPython.run(
      "nightscout.py", of: "IntegrationTests", ["http://127.0.0.1:\(server.port)/", Self.secret], by: .packages)
    try #require(outcome.status == 0, "\(outcome.errors)")
    let found = try outcome.json()
    #expect(found["name"].text == "libre" && found["units"].text == "mg/dl" && found["api_enabled"] == .bool(true))
    let values = found["values"].elements
    #expect(values.count == 10 && values.allSatisfy { $0["sgv"].number != nil && $0["delta"].number != nil })
    let stored = try server.sandbox.run(
      "history", "--ring", "all", "--json", "--store", RunningServer.store
    ).json()
    let newest = try #require(stored["samples"].elements.first { $0["glucose_mg_dl"].number != nil })
    #expect(values.first?["sgv"].number == newest["glucose_mg_dl"].number.map { $0.rounded() })
    #expect(values.first?["date"].text == newest["time"].text?.replacing("Z", with: "+00:00"))
    #expect(found["treatments"].elements.map { $0["event"].text } == ["Sensor Start"])
  }

  /// Each line of `answers.txt` that begins with `$` is asked with curl; what follows is the answer.
  ///
  /// The sensor was read long ago: what depends on the present is answered to who names no date.
  @Test(
    "curl gets the documented answers", .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/curl"))
  )
  func golden() throws {
    let sandbox = try Sandbox()
    let dump = try sandbox.write(SimulatedSensor(seed: 1).image(atAge: 2_400).hexDump, to: "sensor.hex")
    for arguments in [
      ["import", dump, "--read-at", "2025-06-01T12:00:00Z"], ["add", "6.2mmol", "--at", "2025-06-01T11:40:00Z"],
    ] {
      let outcome = try sandbox.run(arguments + ["--store", RunningServer.store])
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    let server = try RunningServer(in: sandbox)
    let place = Repository.root.appendingPathComponent("Tests/IntegrationTests/Serve/answers.txt")
    let expected = try String(contentsOf: place, encoding: .utf8)
    let requests = expected.split(separator: "\n").filter { $0.hasPrefix("$ ") }
    #expect(requests.count > 30)
    var answers = "# What curl gets of libre serve; see ServedClientsTests.\n"
    for request in requests {
      let outcome = try sandbox.shell(
        "curl -sg -w '\\n%{http_code} %{content_type}\\n' \(request.dropFirst(2))".replacing(
          " '/", with: " 'http://127.0.0.1:\(server.port)/", maxReplacements: 1))
      answers += "\n\(request)\n\(outcome.text.replacing("\r\n", with: "␍\n").replacing("\t", with: "⇥"))"
    }
    // `LIBRE_ANSWERS=write` takes what differs; read it before it is committed.
    if ProcessInfo.processInfo.environment["LIBRE_ANSWERS"] == "write" { try Data(answers.utf8).write(to: place) }
    #expect(answers == expected)
  }
}

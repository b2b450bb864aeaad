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
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A finger-stick that a meter handed out, in everything that libre makes of it. The meter is simulated, so that no bus
/// is needed.
@Suite("A finger-stick of a Bluetooth meter", .onOwnThreads, .startsProcesses)
struct MeterFingerStickTests {
  private static let meter = "libre SIM-METER SIM-METER-0001"
  private let sandbox: Sandbox
  /// A zone in which it is now between one and two in the afternoon: the strips of 7 and 12 o'clock, of which one at
  /// least is blood, are within the eight hours of a sensor's history.
  private let environment: [String: String]
  /// Records that became finger-sticks.
  private let kept: [JSONValue]

  init() throws {
    sandbox = try Sandbox()
    let hour = try #require(Calendar.utc.dateComponents([.hour], from: Date()).hour)
    environment = ["TZ": "Etc/GMT\(hour > 13 ? "+" : "-")\(abs(13 - hour))"]
    let sensor = try sandbox.run(
      ["read", "--reader", "sim:active", "--store", Sender.store], environment: environment)
    try #require(sensor.status == 0, "\(sensor.errors)")
    let meter = try sandbox.run(
      ["meter", "read", "sim:meter", "--json", "--store", Sender.store], environment: environment)
    try #require(meter.status == 0, "\(meter.errors)")
    let records = try meter.json()["records"].elements
    kept = records.filter { $0["id"].text != nil }
    // Control solutions, ketones and records without a value are among them.
    try #require(kept.count > 10 && records.count > kept.count + 3)
  }

  private func libre(_ arguments: String...) throws -> Outcome {
    let outcome = try sandbox.run(arguments + ["--store", Sender.store], environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome
  }

  @Test("is named with its meter in the comparison, the calibration, the report and the Apple Health export")
  func named() throws {
    #expect(
      try libre("compare").text.hasPrefix(
        "Reference: finger-sticks, \(kept.count) values (\(kept.count) of \(Self.meter));"))
    let sticks = try libre("calibrate").lines.filter { $0.hasSuffix("(\(Self.meter))") }
    let values = kept.compactMap { $0["glucose_mg_dl"].number }.map { ", blood \(Int($0.rounded())) mg/dL (" }
    #expect(!sticks.isEmpty && sticks.allSatisfy { line in values.contains { line.contains($0) } }, "\(sticks)")
    _ = try libre("report", "--from", "all", "--out", "r.html")
    let page = try String(contentsOf: sandbox.url.appending(path: "r.html"), encoding: .utf8)
    #expect(page.components(separatedBy: "<bdi>\(Self.meter)</bdi>").count == kept.count + 1)
    let export = try libre("export", "--to", "apple-health", "--from", "all").text
    let records = export.components(separatedBy: "<Record ").filter { $0.contains(#"sourceName="\#(Self.meter)""#) }
    #expect(records.count == kept.count)
  }

  @Test("reaches a Nightscout site as mbg with its meter")
  func sent() throws {
    let site = NightscoutSite()
    let server = try FaultyServer(site)
    try sandbox.write(
      "[sync]\nmode = \"manual\"\n\n" + TestedSink.nightscout.section(server.url) + "send = [\"finger_sticks\"]\n",
      to: "config/libre/config.toml")
    let secret = environment.merging(TestedSink.nightscout.environment) { $1 }
    let outcome = try sandbox.run(["sync", "--json", "--store", Sender.store], environment: secret)
    #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
    let entries = server.requests.flatMap { $0.json?.elements ?? [] }
    #expect(entries.count == kept.count && site.held.count == kept.count)
    #expect(entries.allSatisfy { $0["type"].text == "mbg" && $0["sgv"] == .null && $0["device"].text == Self.meter })
    #expect(Set(entries.compactMap { $0["sample_id"].text }) == Set(kept.compactMap { $0["id"].text }))
  }
}

extension Calendar {
  fileprivate static var utc: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }
}

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
  /// Records that became finger-sticks, and the others.
  private let kept: [JSONValue]
  private let aside: [JSONValue]

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
    (kept, aside) = (records.filter { $0["id"].text != nil }, records.filter { $0["id"].text == nil })
    // Control solutions, ketones and records without a value are among them.
    try #require(kept.count > 10 && aside.count > 3)
  }

  private func libre(_ arguments: String...) throws -> Outcome {
    let outcome = try sandbox.run(arguments + ["--store", Sender.store], environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome
  }

  @Test("is compared with the sensor, and the comparison names the meter")
  func compared() throws {
    let text = try libre("compare").text
    #expect(text.hasPrefix("Reference: finger-sticks, \(kept.count) values (\(kept.count) of \(Self.meter));"))
    #expect(try libre("add", "101").status == 0)
    let document = try libre("compare", "--json").json()
    #expect(document["reference_count"].number == Double(kept.count + 1))
    let sources = document["reference_sources"].elements
    #expect(sources.map { $0["source"] } == [.null, .string(Self.meter)])
    #expect(sources.map { $0["count"].number } == [1, Double(kept.count)])
    let factory = document["models"][0]
    #expect(factory["calibration"].text == "factory" && (factory["n"].number ?? 0) > 0)
    #expect(
      try libre("compare").text.hasPrefix(
        "Reference: finger-sticks, \(kept.count + 1) values (1 typed, \(kept.count) of \(Self.meter));"))
  }

  @Test("calibrates the sensor, and the calibration names stick and meter")
  func calibrates() throws {
    let lines = try libre("calibrate").lines
    let sticks = lines.filter { $0.hasSuffix("(\(Self.meter))") }
    #expect(!sticks.isEmpty && lines.last?.hasPrefix("slope ") == true, "\(lines)")
    let values = kept.compactMap { $0["glucose_mg_dl"].number }.map { ", blood \(Int($0.rounded())) mg/dL (" }
    #expect(sticks.allSatisfy { line in values.contains { line.contains($0) } })
    let points = try libre("sensors", "--json").json()["sensors"][0]["wears"][0]["user_calibration"]["points"].elements
    #expect(points.count == sticks.count)
  }

  @Test("is drawn in the plot, and nothing else of the meter is")
  func plotted() throws {
    let all = try libre("plot", "--from", "all", "--width", "120").text
    #expect(all.contains("◆ \(kept.count) finger-sticks"))
    let day = try libre("history", "--finger-sticks", "--from", "-24h", "--ndjson").ndjson()
      .count { $0["ring"].text == "finger_stick" }
    #expect(day > 0)
    let plain = try libre("plot", "--ascii")
    #expect(plain.text.contains("o \(day) finger-stick") && plain.output.allSatisfy { $0 < 0x80 })
    #expect(plain.lines[0].contains("the last of 48 values"))
  }

  @Test("is drawn in the report, with its meter in the table, and changes no number of it")
  func reported() throws {
    for form in [["--out", "r.html"], ["--svg", "r.svg"]] {
      let made = try sandbox.run(
        ["report", "--from", "all", "--store", Sender.store] + form, environment: environment)
      #expect(made.status == 0, "\(made.errors)")
    }
    let page = try String(contentsOf: sandbox.url.appending(path: "r.html"), encoding: .utf8)
    let drawing = try String(contentsOf: sandbox.url.appending(path: "r.svg"), encoding: .utf8)
    #expect(page.components(separatedBy: "<bdi>\(Self.meter)</bdi>").count == kept.count + 1)
    for picture in [page, drawing] {
      let path = try #require(picture.firstMatch(of: /<path class="sticks" data-name="finger-stick" d="([^"]+)"/))
      #expect(path.1.count { $0 == "M" } == kept.count)
      #expect(picture.contains("\(kept.count) finger-sticks, from "))
    }
    #expect(page.contains("from the first to the last of 32 values"))
  }

  @Test("reaches a Nightscout site as mbg with its meter, once")
  func sent() throws {
    let site = NightscoutSite()
    let server = try FaultyServer(site)
    try sandbox.write(
      "[sync]\nmode = \"manual\"\n\n" + TestedSink.nightscout.section(server.url) + "send = [\"finger_sticks\"]\n",
      to: "config/libre/config.toml")
    let secret = environment.merging(TestedSink.nightscout.environment) { $1 }
    for _ in 1...2 {
      let outcome = try sandbox.run(["sync", "--json", "--store", Sender.store], environment: secret)
      #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
    }
    let entries = server.requests.flatMap { $0.json?.elements ?? [] }
    #expect(entries.count == kept.count && site.held.count == kept.count)
    #expect(entries.allSatisfy { $0["type"].text == "mbg" && $0["sgv"] == .null && $0["device"].text == Self.meter })
    #expect(Set(entries.compactMap { $0["sample_id"].text }) == Set(kept.compactMap { $0["id"].text }))
  }

  @Test("is in an Apple Health export with its meter and its value")
  func exported() throws {
    let text = try libre("export", "--to", "apple-health", "--from", "all").text
    let records = text.components(separatedBy: "<Record ").filter { $0.contains(#"sourceName="\#(Self.meter)""#) }
    #expect(records.count == kept.count)
    #expect(records.allSatisfy { $0.hasPrefix(#"type="HKQuantityTypeIdentifierBloodGlucose""#) })
    for record in kept {
      let id = try #require(record["id"].text)
      let value = Int((record["glucose_mg_dl"].number ?? 0).rounded())
      #expect(records.contains { $0.contains(id) && $0.contains(#"value="\#(value)""#) }, "\(id)")
    }
  }
}

extension Calendar {
  fileprivate static var utc: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }
}

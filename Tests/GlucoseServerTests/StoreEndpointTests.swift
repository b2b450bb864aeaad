// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import GlucoseReport
import Libre1Core
import LibreKit
import SampleStore
import SensorHistory
import StoreTestSupport
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("The report and the last reading over HTTP")
struct StoreEndpointTests {
  private let now: Instant
  private let reads: StoreReads
  private let ageMinutes: Int?

  init() throws {
    let stored = try StoredHistory()
    let sensor = SimulatedSensor(seed: 1)
    try stored.scan(sensor, atAge: 3_000)
    now = sensor.activatedAt.adding(minutes: 3_004)
    let latest = try stored.shown.latestValue(now: now)
    let history = try stored.shown.glucoseHistory(from: nil, to: nil)
    ageMinutes = latest.ageMinutes
    reads = StoreReads(latest: { _ in latest }, history: { _, _ in history })
  }

  private func answer(
    _ store: StoreReads?, _ path: String, _ pathExtension: String?, _ query: [(name: String, value: String)] = []
  ) throws -> ServerAnswer? {
    let request = ServerRequest(path: [path], pathExtension: pathExtension, query: query)
    return try StoreEndpoint().answer(request, ServedStore(now: now, store: store).context)
  }

  @Test("the last reading is the same document as that of libre latest")
  func latest() throws {
    let answer = try #require(try answer(reads, "latest", "json"))
    let document = try JSONValue(parsing: answer.body)
    #expect(document["schema"].text == "libre.latest/1")
    #expect(document["age_minutes"].number == ageMinutes.map(Double.init))
    #expect(document["stale"] == .bool(false) && document["sensor"]["serial"].text != nil)
    #expect(answer.header("Cache-Control") == "no-store")
  }

  @Test("a store without a value gives 404, and the answer does not contain the path of the store")
  func noValue() throws {
    let empty = StoreReads(
      latest: { _ throws(StoreError) in throw .noValue(path: "/home/someone/store") },
      history: { _, _ throws(StoreError) in throw .missing(path: "/home/someone/store") })
    let latest = try #require(try answer(empty, "latest", "json"))
    #expect(
      latest.status == 404 && latest.text.contains(#""code":"no_value""#) && !latest.text.contains("someone"))
    let report = try #require(try answer(empty, "report", nil))
    #expect(report.status == 404 && !report.text.contains("someone"))
  }

  @Test("the report is the same page as that of libre report, and its policy allows its script")
  func report() throws {
    let answer = try #require(try answer(reads, "report", nil, [("unit", "mmol/L")]))
    #expect(answer.contentType == "text/html; charset=utf-8" && answer.text.contains("<h1>Glucose report</h1>"))
    #expect(answer.text.contains(#"data-unit="mmol/L""#))
    let script = try #require(
      answer.text.components(separatedBy: "<script>").last?.components(separatedBy: "</script>").first)
    #expect(answer.header("Content-Security-Policy") == ContentPolicy(style: nil, script: script).header.value)
  }

  @Test(
    "a report covers 14 days, or the requested number from 1 to 90",
    arguments: [(nil, 14), ("3", 3), ("0", 1), ("-5", 1), ("9999999999", 90), ("x", 14), ("99999999999999999999", 14)]
      as [(String?, Int)])
  func days(asked: String?, days: Int) throws {
    let now = now
    let reads = StoreReads(
      latest: reads.latest,
      history: { from, to throws(StoreError) in
        throw .cannotOpen(path: "\((to.secondsSince1970 - from.secondsSince1970) / 86_400)", words: "")
      })
    #expect(throws: StoreError.cannotOpen(path: "\(days)", words: "")) {
      _ = try StoreEndpoint().answer(
        ServerRequest(path: ["report"], query: asked.map { [(name: "days", value: $0)] } ?? []),
        ServedStore(now: now, store: reads).context)
    }
  }

  @Test("other addresses, and a server without a store, are left to other endpoints")
  func others() throws {
    #expect(try answer(reads, "latest", nil) == nil && answer(reads, "report", "json") == nil)
    #expect(try answer(nil, "latest", "json") == nil)
  }
}

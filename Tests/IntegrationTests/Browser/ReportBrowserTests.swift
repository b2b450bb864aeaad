// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `libre report` in Debian's Chromium, wide and narrow, light and dark, and on paper. Pictures of what it showed are in
/// `.build/report`, to be looked at.
@Suite(
  "The report in a browser",
  .onOwnThreads, .startsProcesses,
  .enabled("chromium is not installed: apt-get install chromium") { Installed.has("/usr/bin/chromium") })
struct ReportBrowserTests {
  /// What a page is made of.
  enum Kind: String, CaseIterable, Sendable {
    case weeks, scan, fingerSticks, undated, hostile
  }

  private static let looker = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("look.py").path
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// One browser looks at all pages. The first one gets every size, colour scheme and the paper, the others get two views,
  /// and all of them everything in `make full`.
  @Test("opens without errors or requests, shows every section, and reacts to mouse and keyboard")
  func opens() throws {
    for kind in Kind.allCases {
      let made = try sandbox.run(["report", "--out", "\(kind.rawValue).html"] + arguments(for: kind))
      #expect(made.status == 0, "\(kind): \(made.errors)")
    }
    let isFull = TestTier.current == .full
    let pictures = Repository.root.appendingPathComponent(".build/report").path
    var names = Kind.allCases.map { "\($0.rawValue).html" }
    if !isFull { names.insert("--brief", at: 1) }
    let pages = try look(names + [pictures])
    try #require(pages.count == Kind.allCases.count)
    for (kind, page) in zip(Kind.allCases, pages) {
      let views = page["views"].elements
      #expect(views.count == (isFull || kind == Kind.allCases[0] ? 5 : 2))
      for view in views { expectSound(view) }
      try expectAnswers(try #require(views.first)["answers"], of: kind)
      let picture = try Data(contentsOf: URL(fileURLWithPath: "\(pictures)/\(kind.rawValue)-1280-light.png"))
      #expect(picture.count > 20_000)
    }
  }

  private func expectSound(_ view: JSONValue) {
    let name = view["name"].text ?? "?"
    #expect(view["console"].elements.isEmpty && view["exceptions"].elements.isEmpty, "\(name)")
    #expect(view["requests"].elements.isEmpty && view["policyViolations"].elements.isEmpty, "\(name)")
    let sections = view["sections"].elements
    #expect(sections.compactMap { $0["id"].text }.starts(with: ["summary", "agp"]), "\(name)")
    #expect(sections.count >= 6 && sections.allSatisfy { $0["visible"] == .bool(true) }, "\(name): \(sections)")
    #expect(view["scrollsSideways"] == .bool(false), "\(name)")
    for fault in ["sticking", "cut", "overlaps", "weak", "tables", "doubleIds"] {
      #expect(view[fault].elements.isEmpty, "\(name), \(fault): \(view[fault])")
    }
    #expect(view["namelessSVGs"] == .number(0) && view["tablesWithoutHead"] == .number(0), "\(name)")
    #expect(view["headingsInOrder"] == .bool(true), "\(name)")
  }

  private func expectAnswers(_ answers: JSONValue, of kind: Kind) throws {
    for way in ["mouse", "focus", "announced"] {
      let text = try #require(answers[way].text, "\(kind), \(way)")
      // A time of day; where the time of the sensor is not known, no date of 1970.
      #expect(text.contains(":") && !text.contains("1970"), "\(kind), \(way): \(text)")
      // The sensor has values of the last hours only, the meter of all days.
      if kind == .fingerSticks, way == "mouse" { #expect(text.contains("finger-stick: "), "\(text)") }
    }
  }

  /// Runs look.py, and returns what it reports of each page.
  private func look(_ arguments: [String]) throws -> [JSONValue] {
    let look = try sandbox.run(
      program: "/usr/bin/env", ["python3", Self.looker] + arguments,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    try #require(look.status == 0, "\(look.errors)")
    return try look.json()["pages"].elements
  }

  private func arguments(for kind: Kind) throws -> [String] {
    let dump = try sandbox.copy("active.hex", to: "dump.hex")
    switch kind {
    // The clock is changed in the second week.
    case .weeks: return [try weeks(from: "2024-10-20T00:00:00Z"), "--time-zone", "Europe/Rome"]
    case .scan: return [dump, "--read-at", "2024-05-02T10:15:00Z"]
    case .fingerSticks:
      #expect(try sandbox.run("read", "--reader", "sim:active", "--store", "s.sqlite").status == 0)
      #expect(try sandbox.run("meter", "read", "sim:meter", "--store", "s.sqlite").status == 0)
      return ["--store", "s.sqlite"]
    case .undated:
      #expect(try sandbox.run("simulate", "--scenario", "active", "--format", "raw", "--out", "raw.bin").status == 0)
      return ["raw.bin"]
    case .hostile:
      return [
        try history(
          ["2024-05-02T10:15:00Z", "2024-05-02T10:30:00Z"], device: "\"><img src=x onerror=alert(1)>\u{202E}"
        ) {
          _ in 104
        }
      ]
    }
  }

  /// Three weeks of values every quarter of an hour, with meals, nights, a low each fourth day, and a day without any.
  private func weeks(from start: String) throws -> String {
    let first = try #require(ISO8601DateFormatter().date(from: start))
    let quarters = (0..<21 * 96).filter { !(480..<590).contains($0) }
    let times = quarters.map { ISO8601DateFormatter().string(from: first.addingTimeInterval(Double($0) * 900)) }
    return try history(times, device: "weeks") { index in
      let quarter = quarters[index]
      let hour = Double(quarter % 96) / 4
      let meals = [7.5, 12.75, 19.25].map { meal in hour > meal ? 190 * (hour - meal) * exp((meal - hour) * 1.1) : 0 }
      let low = quarter / 96 % 4 == 0 && (2..<4).contains(hour) ? -55.0 : 0
      return 95 + meals.reduce(0, +) * (1 + 0.3 * sin(Double(quarter / 96) * 1.7)) + low
    }
  }

  /// A history as Nightscout writes it.
  private func history(_ times: [String], device: String, value: (Int) -> Double) throws -> String {
    let rows = times.enumerated().map { index, time in
      [
        "type": "sgv", "sgv": Int(value(index).rounded()), "dateString": time, "device": device,
        "date": Int((ISO8601DateFormatter().date(from: time)?.timeIntervalSince1970 ?? 0) * 1000),
      ] as [String: Any]
    }
    return try sandbox.write([UInt8](JSONSerialization.data(withJSONObject: rows)), to: "history.json")
  }
}

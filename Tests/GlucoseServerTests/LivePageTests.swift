// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import GlucoseReport
import SampleStore
import Testing

@testable import GlucoseServer

@Suite("The live page")
struct LivePageTests {
  private let store = ServedStore(
    glucose: [ServedStore.value(118, minutesAgo: 2, delta: -3.6, direction: .fortyFiveDown)]
      + (1..<40).map { ServedStore.value(118 + Double($0), minutesAgo: $0 * 15, isTrend: false) },
    sinks: [
      ServedSink(name: "site", queued: 0, parked: 0, problem: nil),
      ServedSink(name: "<b>", queued: 2, parked: 1, problem: "the receiver is not reachable"),
    ])

  private func answer(
    _ path: [String] = [], _ query: [(name: String, value: String)] = [], _ store: ServedStore? = nil
  ) throws -> ServerAnswer? {
    try LivePageEndpoint(clock: .init(.utc)).answer(
      ServerRequest(path: path, query: query), (store ?? self.store).context)
  }

  /// The store at a time, what is asked for, and what the page then shows and does not show.
  struct Situation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var minutesLater = 0
    var query: [(name: String, value: String)] = []
    var store: ServedStore?
    let shows: [String]
    let hides: [String]
  }

  static let situations = [
    Situation(
      testDescription: "a value with its direction, change, age and origin; sensor and sinks",
      shows: [
        #"<span class="number">118</span>"#, #"<span class="arrow fresh" aria-hidden="true">↘</span>"#, "falling",
        "−4 in 5 min", "6.5 mmol/L", "2 min ago", "11:58", "Measured in that minute by sensor 0M00009DHCR.",
        #"<span class="pill within fresh">In range</span>"#, #"<div id="alerts" role="alert" hidden></div>"#,
        "<dt>Age</dt><dd>4 d 0 h</dd>", "<dt>Ends</dt><dd>11 Jan, 13:30, in 10 d 1 h</dd>", "up to date",
        "<dt>&lt;b&gt;</dt><dd>2 queued, 1 refused by the receiver, the receiver is not reachable</dd>",
      ], hides: [#"class="is-old""#]),
    // Parts that are only for a present value have the class fresh, which is hidden.
    Situation(
      testDescription: "an old value, said in words", minutesLater: 60,
      shows: [#"class="is-old""#, "This value is old", "1 h 2 min ago", ".is-old .fresh", #"data-words="""#],
      hides: []),
    Situation(
      testDescription: "an ended sensor, without an age", minutesLater: 11 * 1_440, shows: ["<dt>Ended</dt>"],
      hides: ["<dt>Age</dt>"]),
    Situation(
      testDescription: "what to do if the store has no values", store: ServedStore(sensors: []),
      shows: [
        "No value yet.", "libre read", "No sensor was read yet.", "No values in the last 6 hours.",
        "No receiver is configured.",
      ], hides: []),
    Situation(
      testDescription: "the hours and the unit that are asked for", query: [("hours", "24"), ("unit", "mmol/L")],
      shows: [#"<span class="number">6.5</span>"#, #"aria-current="true" data-hours="24""#], hides: []),
    Situation(
      testDescription: "a name from outside as text",
      store: ServedStore(
        glucose: [ServedStore.value(104, minutesAgo: 1, device: "\"><img src=x onerror=alert(1)>\u{202E}")]),
      shows: ["&lt;img src=x"], hides: ["<img", "\u{202E}"]),
  ]

  @Test("shows", arguments: situations)
  func shows(_ situation: Situation) throws {
    var store = situation.store ?? store
    store.now = ServedStore.now.adding(minutes: situation.minutesLater)
    let page = try #require(try answer([], situation.query, store)).text
    for part in situation.shows { #expect(page.contains(part), "\(part)") }
    for part in situation.hides { #expect(!page.contains(part), "\(part)") }
  }

  @Test("shows an alert of the last hour, or of a day while its cause lasts")
  func alerts() throws {
    func page(minutesAgo: Int, lasts: Bool) throws -> String {
      var store = store
      let words = AlertMemory.Words(title: "Glucose is <low>", text: "62 mg/dL ↓, just now", urgency: 2)
      store.alerts = [
        ServedAlert(rule: "low", at: ServedStore.now.adding(minutes: -minutesAgo), words: words, lasts: lasts)
      ]
      return try #require(try answer([], [], store)).text
    }
    let shown = try page(minutesAgo: 3, lasts: true)
    for part in [
      #"role="alert"><p data-alert="low 1767268620000" data-urgency="2" data-lasts="true">"#,
      "<b>Glucose is &lt;low&gt;</b> 62 mg/dL ↓, just now", "3 min ago</span></span></p>",
    ] {
      #expect(shown.contains(part), "\(part)")
    }
    for (minutes, lasts, isShown) in [(60, false, true), (61, false, false), (1_440, true, true), (1_441, true, false)]
    {
      #expect(
        try page(minutesAgo: minutes, lasts: lasts).contains("data-alert=\"low") == isShown, "\(minutes) \(lasts)")
    }
  }

  @Test("other parameters than hours and unit change nothing, and do not appear in the page")
  func otherParameters() throws {
    let strange: [(name: String, value: String)] = [
      ("hours", "7<script>"), ("unit", "\"><img>"), ("token", "secret-token"),
    ]
    #expect(try #require(try answer([], strange)).text == (try #require(try answer()).text))
  }

  @Test("has the same content in its parts as in the whole page")
  func parts() throws {
    let (page, parts) = (try #require(try answer()).text, try #require(try answer(["live"])).text)
    let pieces = parts.split(separator: /\n(?=<(?:section|figure) )/)
    #expect(pieces.count == 6 && pieces.allSatisfy { page.contains($0) })
    for id in ["alerts", "now", "curve", "today", "sensor", "sinks"] {
      #expect(parts.components(separatedBy: #"id="\#(id)""#).count == 2, "\(id)")
    }
    #expect(!parts.contains("<script"))
  }

  @Test("allows by its policy only its own style and script, by their hashes, and nothing from elsewhere")
  func policy() throws {
    let answer = try #require(try answer())
    let policy = try #require(answer.header("Content-Security-Policy"))
    // What stands between the tags, to the character: a browser takes the hash of that.
    func element(_ tag: String) throws -> String {
      let parts = answer.text.components(separatedBy: "<\(tag)>")
      try #require(parts.count == 2)
      return try #require(parts[1].components(separatedBy: "</\(tag)>").first)
    }
    #expect(policy == ContentPolicy(style: try element("style"), script: try element("script")).header.value)
    // The hash of the empty text, as `openssl dgst -sha256 -binary | base64` prints it.
    #expect(
      ContentPolicy(style: "", script: "").header.value.contains(
        "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';"))
    #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe"))
    // Neither event handlers nor styles in attributes, which the policy would block, nor an address elsewhere.
    #expect(answer.text.firstMatch(of: /<[^>]*\s(?:style|on[a-z]+)=/) == nil)
    #expect(answer.text.firstMatch(of: /(?:src|href|action)="(?:https?:)?\/\//) == nil)
    #expect(answer.header("Referrer-Policy") == "no-referrer" && answer.header("Cache-Control") == "no-store")
  }

  @Test("draws a day with a clock change, in both directions", arguments: [-3_600, 3_600])
  func clockChange(step: Int) throws {
    let change = ServedStore.now.adding(minutes: -90)
    let clock = LocalClock { $0 < change ? 0 : step }
    let view = store.view(hours: 3, clock: clock)
    let parts = LivePage(view: view).parts
    #expect(parts.contains(#"<svg class="wide""#) && !parts.lowercased().contains("nan"))
  }
}

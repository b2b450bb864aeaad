// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TestSupport
import Testing

@testable import SampleSync
@testable import TextFormats

struct SinkConformanceTests {
  private static let everything = Set(SampleBatch.Part.allCases)

  private static func texts(_ delivery: Delivery) -> String {
    switch delivery {
    case .http(let request): request.redactedText
    case .mqtt(let messages): messages.map(\.text).joined()
    case .lines(let lines): String(decoding: lines, as: UTF8.self)
    case .samples(let samples): "\(samples)"
    }
  }

  private static func payloads(_ delivery: Delivery) -> [[UInt8]] {
    switch delivery {
    case .http(let request): [request.body]
    case .mqtt(let messages): messages.map(\.payload)
    case .lines(let lines): lines.split(separator: 0x0A).map(Array.init)
    case .samples: []
    }
  }

  /// Returns all texts that Swift itself can print of a value.
  private static func dumped(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text + String(describing: value) + String(reflecting: value)
  }

  @Test("flagged, undated, unidentified and non-finite samples are never sent, even if they are passed in")
  func unusable() throws {
    let bad =
      [nil, Instant(secondsSince1970: .max)].map { SinkFixtures.sample(time: $0) }
      + [nil, .nan, .infinity].map { SinkFixtures.sample(glucose: $0) }
      + [SinkFixtures.sample(of: SinkFixtures.withoutUID)]
      + SampleQuality.allCases.filter { $0 != .ok }.map { SinkFixtures.sample(quality: $0) }
    for (_, sink) in try SinkFixtures.all() {
      for sample in bad { #expect(sink.omission(of: .sensor(sample)) != nil) }
      #expect(sink.omission(of: .sensor(SinkFixtures.sample())) == nil)
      let good = SinkFixtures.later(15)
      let alone = sink.delivered(SinkFixtures.batch([good], parts: Self.everything, holdsNewest: true))
      let mixed = sink.delivered(SinkFixtures.batch(bad + [good] + bad, parts: Self.everything, holdsNewest: true))
      #expect(alone == mixed, "\(sink.destination)")
      #expect(alone != sink.delivered(SinkFixtures.batch([], parts: Self.everything)))
    }
  }

  @Test("the trend is sent only if requested")
  func leastData() throws {
    let history = SinkFixtures.sample()
    let trend = SinkFixtures.later(3, .trend, glucose: 111.5)
    for (type, sink) in try SinkFixtures.all() {
      let least = sink.delivered(SinkFixtures.batch([history]))
      #expect(sink.delivered(SinkFixtures.batch([history, trend])) == least, "\(type.name)")
      let more = sink.delivered(SinkFixtures.batch([trend], parts: [.history, .trend]))
      #expect(more != least && type.parts.contains(.trend), "\(type.name)")
      let text = Self.texts(least)
      if type.name != "file" { #expect(!text.contains("884") && !text.contains("expires_at"), "\(type.name)") }
    }
  }

  @Test("a planted secret is in no printable text of a delivery, a sink, a state or a preparation")
  func secrets() throws {
    let secret = SinkFixtures.secretText
    // Unchanged, as SHA-1 in hex (Nightscout), and in Base64 after `me:` or the e-mail address.
    let forms = [
      secret, "ac1e7ae143396c7153e0814050e8b35fc03d9812", "bWU6cGxhbnRlZC1TZWNyZXQtOTNkMWYw",
      "OnBsYW50ZWQtU2VjcmV0LTkzZDFmMA", "session-93d1",
    ]
    let memory = SinkState(kept: ["user_id": "u1", "source": "x"], session: ["token": Secret("session-93d1")])
    for (type, sink) in try SinkFixtures.all(secret: secret) {
      var shown = Self.dumped(sink) + sink.destination
      for memory in [SinkState(), memory] {
        let token = memory.session.isEmpty ? secret : "session-93d1"
        let delivery = sink.delivered(SinkFixtures.batch(parts: Self.everything, holdsNewest: true), memory: memory)
        shown += Self.dumped(delivery) + Self.texts(delivery) + Self.dumped(memory)
        if let probe = sink.probe(memory, SinkFixtures.context()) { shown += Self.dumped(probe) + probe.redactedText }
        for batch in [nil, SinkFixtures.batch()] {
          guard let preparation = sink.preparation(for: batch, memory, SinkFixtures.context()) else { continue }
          shown += Self.dumped(preparation) + preparation.request.redactedText
          for (status, body) in [(401, secret), (400, token), (200, secret), (302, token)] {
            let response = HTTPResponse(
              status: status, headers: [("Location", "https://x.example/\(body)")], body: Array(body.utf8))
            shown += Self.dumped(preparation.learnt(response, memory))
          }
        }
        for status in [200, 301, 400, 401, 403, 404, 409, 413, 422, 429, 500] {
          for echo in [secret, secret.uppercased(), token, "{\"token\":\"\(secret)\"}"] {
            let response = HTTPResponse(status: status, headers: [("Location", echo)], body: Array("x \(echo)".utf8))
            shown += Self.dumped(sink.verdict(on: response, memory, now: SinkFixtures.noon))
            shown += Self.dumped(sink.probeVerdict(on: response, memory, now: SinkFixtures.noon))
          }
        }
      }
      for form in forms {
        let isOthers = form == "session-93d1" && !["tidepool", "nightscout-v3"].contains(type.name)
        #expect(isOthers || !shown.lowercased().contains(form.lowercased()), "\(type.name) shows \(form)")
      }
      if type.secret != .none { #expect(shown.contains("(secret)"), "\(type.name)") }
    }
  }

  @Test("example responses provide all that a batch needs, and none of them is secret")
  func examples() throws {
    let questions = [
      "nightscout-v3": ["ask for a token"], "vital": ["create the user", "connect the source"],
      "tidepool": ["log in", "create the data set"],
    ]
    let secret = SinkFixtures.secretText
    for (type, sink) in try SinkFixtures.all(secret: secret) {
      var memory = SinkState()
      var (asked, shown) = ([String](), "")
      while let step = sink.preparation(for: SinkFixtures.batch(), memory, SinkFixtures.context()) {
        asked.append(step.purpose)
        shown += step.request.redactedText + String(decoding: step.example.body, as: UTF8.self)
        shown += step.example.headers.map { "\($0.key): \($0.value)\n" }.joined()
        let before = memory
        try step.learn(step.example, &memory)
        #expect(memory != before, "\(type.name) \(step.purpose)")
        if asked.count > 8 { break }
      }
      #expect(asked == questions[type.name] ?? [], "\(type.name)")
      // Data that does not depend on a sensor belongs to a part.
      var general = SinkState()
      for purpose in asked {
        guard let step = sink.preparation(for: nil, general, SinkFixtures.context()) else { break }
        #expect(step.purpose == purpose)
        try step.learn(step.example, &general)
      }
      #expect(sink.preparation(for: nil, general, SinkFixtures.context()) == nil)
      shown += memory.kept.map { "\($0.key)=\($0.value)\n" }.joined()
      shown += Self.texts(sink.delivered(SinkFixtures.batch(parts: Self.everything), memory: memory))
      // A session token is a placeholder too, and is handled like the real secret.
      for token in memory.session.values {
        #expect(token.revealed() == "TOKEN" && !memory.kept.values.contains("TOKEN"), "\(type.name)")
      }
      #expect(memory.session.isEmpty || shown.contains("(secret)"), "\(type.name)")
      #expect(!shown.contains(secret), "\(type.name)")
    }
  }

  @Test("quotes and control characters in a serial number leave every document valid")
  func hostileSerial() throws {
    let identity = SensorIdentity(
      uid: SinkFixtures.uid, fingerprint: nil, serial: "\"}],\\\n\r\t\u{0}\u{7F}<é>", family: .libre1)
    let batch = SinkFixtures.batch(
      [SinkFixtures.sample(of: identity)], parts: Self.everything, holdsNewest: true, identity: identity)
    for (type, sink) in try SinkFixtures.all() where type.name != "influx" {
      for payload in Self.payloads(sink.delivered(batch)) where payload != Array("online".utf8) {
        #expect(throws: Never.self, "\(type.name)") { try JSONValue(parsing: payload) }
      }
    }
  }

  @Test("invalid responses, however deep or large, cause no crash, no long message and no stored facts")
  func hostileAnswers() throws {
    // More than the parsed part of a response: 1 MiB.
    let tooLarge = 1_200_000
    let deep = String(repeating: "[", count: 200_000)
    let deepObjects = String(repeating: #"{"data":"#, count: 50_000)
    let bodies: [[UInt8]] = [
      [], [0], [0xFF, 0xFE], Array(deep.utf8), Array(deepObjects.utf8), Array("null".utf8), Array("[]".utf8),
      Array(#"{"token":null,"userid":[],"user_id":{},"data":[],"uploadId":1e999,"entry":[null]}"#.utf8),
      Array(#"{"message":{"message":7}}"#.utf8), [UInt8](repeating: 0x20, count: tooLarge),
      Array("{\"token\":\"".utf8) + [UInt8](repeating: 0x61, count: tooLarge) + Array("\"}".utf8),
    ]
    let memory = SinkState(kept: ["user_id": "u1"], session: ["token": Secret("t")])
    for (type, sink) in try SinkFixtures.all() {
      for body in bodies {
        for status in [200, 400] + (body.count < 1_000 ? [Int.min, Int.max] : []) {
          let response = HTTPResponse(status: status, headers: [("retry-after", "-1")], body: body)
          _ = sink.probeVerdict(on: response, SinkState(), now: SinkFixtures.noon)
          let verdict = sink.verdict(on: response, SinkState(), now: SinkFixtures.noon)
          #expect((verdict.reason?.count ?? 0) < 500)
          for memory in [SinkState(), memory] {
            guard let step = sink.preparation(for: SinkFixtures.batch(), memory, SinkFixtures.context()) else {
              continue
            }
            // The status alone is the result of Vital's second step.
            let saysAll = status / 100 == 2 && step.purpose == "connect the source"
            if case .success = step.learnt(response, memory) { #expect(saysAll, "\(type.name) \(step.purpose)") }
          }
        }
      }
    }
  }

  @Test("each parameter's default is one of its choices, and one without a default is required")
  func types() throws {
    for (type, sink) in try SinkFixtures.all() {
      #expect(sink.maximumBatch >= 1 && Set(type.parameters.map(\.key)).count == type.parameters.count)
      for parameter in type.parameters {
        if let value = parameter.defaultValue, !parameter.choices.isEmpty {
          #expect(parameter.choices.contains(value), "\(type.name) \(parameter.key)")
        }
        guard parameter.defaultValue == nil else { continue }
        let values = Dictionary(uniqueKeysWithValues: type.parameters.map { ($0.key, $0.defaultValue ?? "x") })
          .merging([parameter.key: ""]) { $1 }
        #expect(throws: SinkOptionError.self, "\(type.name) without \(parameter.key)") {
          try SinkFixtures.sink(type, values)
        }
      }
    }
  }
}

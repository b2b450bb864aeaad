// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleSync
@testable import TextFormats

@Suite("Servers that show alerts on a phone") struct PushSinkTests {
  private func request(_ type: SinkType, _ url: String, secret: String? = nil) throws -> HTTPRequest {
    let sink = try SinkFixtures.sink(type, ["url": url], secret: secret)
    let delivery = sink.delivery(of: SinkFixtures.alert("low", document: "{}"), SinkFixtures.context())
    return try #require(delivery).request()
  }

  @Test("an ntfy server gets the topic, the title and the sentence at its root, loudest for a low value")
  func ntfy() throws {
    let request = try request(PushSink.ntfy, "https://ntfy.example/home/glucose", secret: "tk_planted")
    #expect(request.redactedText.hasPrefix("POST https://ntfy.example/home/\n"))
    #expect(
      request.redactedText.contains("Authorization: Bearer (secret)") && !request.redactedText.contains("planted"))
    #expect(
      request.bodyText
        == #"{"topic":"glucose","title":"Low: 62 mg/dL ↘","message":"62 mg/dL, falling, 1 min ago","priority":5}"#)
  }

  @Test("a Gotify server gets title and sentence with the application's token in a header")
  func gotify() throws {
    let request = try request(PushSink.gotify, "https://push.example/gotify", secret: "planted")
    #expect(request.redactedText.hasPrefix("POST https://push.example/gotify/message\n"))
    #expect(request.redactedText.contains("X-Gotify-Key: (secret)") && !request.redactedText.contains("planted"))
    #expect(request.bodyText.hasSuffix(#""priority":8}"#))
  }

  @Test("sink test asks whether the server is there; an address without a topic and a missing token are errors")
  func probe() throws {
    for (type, url, place) in [
      (PushSink.ntfy, "https://ntfy.example/glucose", "GET https://ntfy.example/v1/health"),
      (PushSink.gotify, "https://push.example", "GET https://push.example/health"),
    ] {
      let sink = try SinkFixtures.sink(type, ["url": url], secret: "x")
      #expect(sink.probe(SinkState(), SinkFixtures.context())?.redactedText.hasPrefix(place) == true)
    }
    #expect(throws: SinkOptionError.self) { try SinkFixtures.sink(PushSink.ntfy, ["url": "https://ntfy.example"]) }
    #expect(throws: SinkOptionError.secretMissing) {
      try SinkFixtures.sink(PushSink.gotify, ["url": "https://push.example"], secret: nil)
    }
  }

  @Test("no value is sent to a receiver of alerts alone")
  func noSamples() throws {
    for type in [PushSink.ntfy, PushSink.gotify] {
      let sink = try SinkFixtures.sink(type, ["url": "https://push.example/x"], secret: "x")
      #expect(sink.omission(of: .sensor(SinkFixtures.sample())) != nil && type.sendableParts.isEmpty)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing
import TextFormats

@testable import SampleSync

struct MQTTSinkTests {
  private func sink(_ values: [String: String] = [:]) throws -> any SampleSink {
    try SinkFixtures.sink(MQTTSink.type, SinkFixtures.mqtt.merging(values) { $1 })
  }

  @Test("a batch sends availability, discovery, each sample, and the state at the end")
  func messages() throws {
    let messages = try sink().messages(
      SinkFixtures.batch([SinkFixtures.sample(), SinkFixtures.later(15)], holdsNewest: true))
    #expect(
      messages.map(\.topic) == [
        "libre/status", "homeassistant/sensor/libre_glucose/config", "homeassistant/sensor/libre_time/config",
        "libre/0M00028U5DW/sample", "libre/0M00028U5DW/sample", "libre/state",
      ])
    #expect(messages.map(\.isRetained) == [true, true, true, false, false, true])
    #expect(messages[0].payloadText == "online")
    #expect(
      messages[1].payloadText == #"""
        {"name":"Glucose","unique_id":"libre_glucose","value_template":"{{ value_json.mgdl }}",\#
        "device_class":"blood_glucose_concentration","state_class":"measurement","unit_of_measurement":"mg/dL",\#
        "suggested_display_precision":0,"force_update":true,"expire_after":1200,"json_attributes_topic":"libre/state",\#
        "state_topic":"libre/state","availability_topic":"libre/status",\#
        "device":{"identifiers":["libre"],"name":"FreeStyle Libre","manufacturer":"Abbott","model":"FreeStyle Libre"}}
        """#)
    #expect(
      messages[3].payloadText == #"""
        {"id":"067628c7-f5b2-599c-9c28-c340db222ecd","ring":"history","minute":14415,\#
        "time":"2024-05-02T10:15:00Z","glucose_mg_dl":104}
        """#)
    #expect(
      messages[5].payloadText
        == #"""
        {"mgdl":104,"mmol":5.7719,"time":"2024-05-02T10:30:00Z","minute":14430,"serial":"0M00028U5DW",\#
        "sample_id":"8bcf575f-bce9-5608-96b8-b64d92c0805d"}
        """#)
  }

  @Test("an alert is a message of its kind, and a trigger of the device that a removal takes away")
  func alert() throws {
    let sink = try sink()
    let alert = SinkFixtures.alert("scan-due", document: #"{"kind":"scan-due"}"#)
    let messages = try #require(sink.delivery(of: alert, SinkFixtures.context())).messages()
    #expect(
      messages.map(\.topic) == [
        "libre/status", "homeassistant/device_automation/libre_scan-due/config", "libre/alert/scan-due",
      ])
    #expect(messages.map(\.isRetained) == [true, true, false])
    #expect(
      messages[1].payloadText == #"""
        {"automation_type":"trigger","type":"alert","subtype":"scan-due","topic":"libre/alert/scan-due",\#
        "device":{"identifiers":["libre"],"name":"FreeStyle Libre","manufacturer":"Abbott","model":"FreeStyle Libre"}}
        """#)
    #expect(messages[2].payloadText == #"{"kind":"scan-due"}"#)
    #expect(sink.farewell().contains { $0.topic == messages[1].topic && $0.payload.isEmpty })
    let quiet = try #require(try self.sink(["discovery": "none"]).delivery(of: alert, SinkFixtures.context()))
    #expect(try quiet.messages().map(\.topic) == ["libre/status", "libre/alert/scan-due"])
    // A broker closes the older of two connections with one client id: samples may be sent meanwhile.
    guard case .mqtt(let broker) = try self.sink(["client_id": "mine"]).route.beside("alerts") else {
      return #expect(Bool(false))
    }
    #expect(broker("made").clientID == "mine-alerts")
  }

  @Test("a batch without the newest sample does not change the state")
  func backfill() throws {
    let topics = try sink().messages(SinkFixtures.batch(holdsNewest: false)).map(\.topic)
    #expect(!topics.contains("libre/state") && topics.contains("libre/0M00028U5DW/sample"))
    #expect(try sink().messages(SinkFixtures.batch([], holdsNewest: true)).count == 3)
  }

  @Test("the state is emptied by a value that Home Assistant shows as unknown, for every entity of every part")
  func emptied() throws {
    let sink = try sink()
    let messages = try #require(sink.withdrawal(of: ["state"], SinkState(), SinkFixtures.context())).messages()
    #expect(messages.map(\.topic) == ["libre/status", "libre/state"] && messages.allSatisfy(\.isRetained))
    let state = try JSONValue(parsing: messages[1].payload)
    #expect(!state.keys.isEmpty && state.keys.allSatisfy { state[$0] == .null })
    let all = try sink.messages(SinkFixtures.batch(parts: [.history, .trend, .sensor]))
    let members = all.compactMap { $0.payloadText.firstMatch(of: /value_json\.(\w+)/).map { String($0.1) } }
    #expect(members.count == 5 && Set(members).isSubset(of: Set(state.keys)))
  }

  @Test("with the trend the state has the current value and its direction, with the sensor its condition")
  func parts() throws {
    let samples = [SinkFixtures.sample(), SinkFixtures.later(3, .trend, glucose: 107.25)]
    let all = try sink(["expire_after": "1200", "unit": "mmol/L"]).messages(
      SinkFixtures.batch(samples, parts: [.history, .trend, .sensor, .raw], current: SinkFixtures.current))
    #expect(
      all.last?.payloadText == #"""
        {"mgdl":107.25,"mmol":5.9523,"time":"2024-05-02T10:18:00Z","minute":14418,"serial":"0M00028U5DW",\#
        "sample_id":"5c857ebd-ec81-54c6-9b5b-82d4a31969ce",\#
        "direction":"FortyFiveUp","delta":6.2,"state":"active","activated":"2024-04-22T10:00:00Z",\#
        "expires":"2024-05-06T10:00:00Z"}
        """#)
    let entities = ["glucose", "time", "direction", "state", "expires"]
    #expect(
      all.map(\.topic).filter { $0.hasSuffix("/config") } == entities.map { "homeassistant/sensor/libre_\($0)/config" })
    let glucose = try JSONValue(parsing: all[1].payload)
    #expect(glucose["unit_of_measurement"].text == "mmol/L" && glucose["expire_after"].number == 1_200)
    #expect(glucose["value_template"].text == "{{ value_json.mmol }}")
    let sample = try JSONValue(parsing: #require(all.first { $0.topic.hasSuffix("/sample") }).payload)
    #expect(sample["schema"].text == "libre.sample/1")

    let stale = try sink().messages(
      SinkFixtures.batch(samples, parts: [.history, .trend], current: nil, holdsNewest: true))
    let state = try JSONValue(parsing: #require(stale.last).payload)
    #expect(state["minute"].number == 14_418 && state["mgdl"].number == 107.25)
    #expect(state.keys.contains("direction") && state["direction"] == .null && state["delta"] == .null)
  }

  @Test("discovery is one document for the whole device, or is switched off")
  func discoveryForms() throws {
    let device = try sink(["discovery": "device"]).messages()
    #expect(device.map(\.topic).prefix(2) == ["libre/status", "homeassistant/device/libre/config"])
    let document = try JSONValue(parsing: device[1].payload)
    #expect(document["components"].keys == ["glucose", "time"])
    #expect(document["components"]["glucose"]["platform"].text == "sensor")
    #expect(document["origin"]["name"].text == "libre" && document["state_topic"].text == "libre/state")
    #expect(try sink(["discovery": "none"]).messages().map(\.topic) == ["libre/status", "libre/0M00028U5DW/sample"])
    let moved = try sink(["topic": "home/libre", "discovery_prefix": "ha"]).messages().map(\.topic)
    #expect(moved.contains("ha/sensor/home_libre_time/config") && moved.contains("home/libre/status"))
  }

  @Test("Home Assistant shows a value for as long as it counts as the present one, or as the user says")
  func expiry() throws {
    for (value, expected) in [(nil, 1_200), ("60", 60), ("0", nil)] as [(String?, Double?)] {
      let messages = try sink(value.map { ["expire_after": $0] } ?? [:]).messages()
      #expect(try JSONValue(parsing: messages[1].payload)["expire_after"].number == expected)
    }
  }

  @Test("another sensor is the same device, with the same entities and state topic; another topic is another person's")
  func changeOfSensor() throws {
    let next = SensorIdentity(
      uid: SensorUID(bits: 0xE007_A000_0099_9999), fingerprint: nil, serial: "0M0009999ZZ", family: .libreUS14Day)
    for form in ["entity", "device"] {
      let sink = try sink(["discovery": form])
      let parts: Set<SampleBatch.Part> = [.history, .sensor]
      let before = try sink.messages(SinkFixtures.batch(parts: parts, holdsNewest: true))
      let after = try sink.messages(
        SinkFixtures.batch([SinkFixtures.sample(of: next)], parts: parts, holdsNewest: true, identity: next))
      let isDocument = { (message: MQTTMessage) in message.topic.hasSuffix("/config") }
      #expect(before.filter(isDocument) == after.filter(isDocument) && before.contains(where: isDocument))
      #expect(before.last?.topic == after.last?.topic)
      #expect(try JSONValue(parsing: #require(after.last).payload)["serial"].text == "0M0009999ZZ")
    }
    let messages = try sink(["topic": "home/ann"]).messages(SinkFixtures.batch(holdsNewest: true))
    let document = try JSONValue(parsing: messages[1].payload)
    #expect(messages[1].topic == "homeassistant/sensor/home_ann_glucose/config")
    #expect(document["unique_id"].text == "home_ann_glucose" && document["device"]["identifiers"][0].text == "home_ann")
    #expect(document["state_topic"].text == "home/ann/state" && messages.last?.topic == "home/ann/state")
  }

  @Test("every topic retained by a broker is emptied when the sink is removed")
  func farewell() throws {
    for form in ["entity", "device", "none"] {
      let sink = try #require(try sink(["discovery": form, "topic": "a/b", "discovery_prefix": "ha"]) as? MQTTSink)
      let messages = try sink.messages(
        SinkFixtures.batch(parts: Set(SampleBatch.Part.allCases), current: SinkFixtures.current))
      let will = try #require(sink.broker(clientID: "x").will)
      let retained = (messages.filter(\.isRetained) + [will]).map(\.topic)
      let farewell = sink.farewell()
      let emptied = farewell.map(\.topic)
      #expect(Set(retained).isSubset(of: emptied) && retained.contains("a/b/state"))
      #expect(emptied.count == 17 && Set(emptied).count == 17 && emptied.last == "a/b/status")
      #expect(emptied.allSatisfy { $0.hasPrefix("a/b/") || $0.hasPrefix("ha/") })
      #expect(farewell.allSatisfy { $0.payload.isEmpty && $0.isRetained })
    }
  }

  @Test("a serial number cannot change the topic level")
  func hostileSerial() throws {
    let identity = SensorIdentity(uid: SinkFixtures.uid, fingerprint: nil, serial: "a/+/#\u{0}\"é", family: .unknown)
    let messages = try sink().messages(
      SinkFixtures.batch([SinkFixtures.sample(of: identity)], holdsNewest: true, identity: identity))
    #expect(messages.contains { $0.topic == "libre/a_______/sample" })
    #expect(messages.allSatisfy { !$0.topic.contains { "+#\0\"".contains($0) } })
    let state = try JSONValue(parsing: #require(messages.last { $0.topic == "libre/state" }).payload)
    #expect(state["serial"].text == identity.serial)
  }

  @Test("a courier gets the broker, TLS, the user and the last will")
  func broker() throws {
    let made = try #require(try sink(["ca_file": "/ca.pem"]) as? MQTTSink).broker(clientID: "libre-1")
    #expect(made.host == "broker.example" && made.port == 8_883 && made.encryption == .tlsTrusting(file: "/ca.pem"))
    #expect(made.user == "me" && made.password == Secret(SinkFixtures.secretText) && !made.allowsPlain)
    #expect(made.clientID == "libre-1")
    #expect(made.will == MQTTMessage(topic: "libre/status", payload: Array("offline".utf8), isRetained: true))
    let plain = try #require(try sink(["url": "mqtt://[::1]:1884", "client_id": "mine"]) as? MQTTSink)
      .broker(clientID: "libre-1")
    #expect(plain.host == "::1" && plain.port == 1_884 && plain.encryption == .none && plain.clientID == "mine")
    #expect(try (sink() as? MQTTSink)?.broker(clientID: "x").encryption == .tls)
    #expect(throws: SinkOptionError.plainHTTP(url: "mqtt://broker.example")) {
      try sink(["url": "mqtt://broker.example"])
    }
  }

  @Test(
    "topics with wildcards and invalid options are refused",
    arguments: [
      ("topic", "a/#"), ("topic", "/a"), ("topic", "a//b"), ("topic", "a b"), ("discovery_prefix", "+"),
      ("expire_after", "-1"), ("expire_after", "1e3"), ("expire_after", "+5"), ("unit", "mg"), ("discovery", "yes"),
      ("url", "https://broker.example"), ("url", "mqtts://broker.example/topic"),
    ])
  func badOptions(_ key: String, _ value: String) throws {
    #expect(performing: { try sink([key: value]) }, throws: SinkOptionError.isBad(key, value))
  }
}

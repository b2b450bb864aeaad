// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Alerts arrive at a broker", .startsProcesses, .onOwnThreads)
struct AlertDeliveryTests {
  @Test("mosquitto gets an alert while the daemon is connected, and the daemon's connection stays", .needsMosquitto)
  func broker() throws {
    let sender = try Sender(.single)
    let broker = try MosquittoBroker(in: sender.sandbox.url)
    let listener = try MQTTListener(broker, sender.sandbox)
    let rule = "[alerts.high]\nkind = \"high\"\nabove = \"30 mg/dL\"\ntell = [\"sink:one\"]\n"
    try sender.configure(MQTTSection.text(port: broker.port, "client_id = \"mine\""), rule)
    let daemon = try sender.sandbox.start(["sync", "--daemon", "--store", Sender.store])
    try eventually("the daemon has sent") { try !listener.samples().isEmpty }
    let told = try sender.libre(["alerts", "test"])
    #expect(told.status == 0, "\(told.errors)")
    let messages = try listener.messages()
    let alert = try #require(messages.first { $0.topic == "libre/alert/high" })
    #expect(try JSONValue(parsing: alert.payload.utf8)["schema"] == .string("libre.alert/1"))
    #expect(messages.contains { $0.topic == "homeassistant/device_automation/libre_high/config" })
    // The broker publishes `offline` when it closes the older of two connections with one client id.
    #expect(!messages.contains { $0.topic == "libre/status" && $0.payload == "offline" }, "\(messages)")
    daemon.send(SIGTERM)
    #expect(daemon.ends(by: .now() + .seconds(ampleSeconds)))
  }
}

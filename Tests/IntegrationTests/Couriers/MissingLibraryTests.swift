// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SampleSinks

#if !CURL
  @Suite("A build without libcurl")
  struct MissingCurlTests {
    @Test("reports this when samples are to be sent by HTTP")
    func missing() async {
      await #expect(
        throws: DeliveryError.libraryMissing(
          name: "libcurl (this build of libre was made without it)", package: "libcurl4")
      ) {
        try await HTTPCourier(agent: "x").perform(HTTPRequest(.get, "http://127.0.0.1/"), timeoutSeconds: ampleSeconds)
      }
    }
  }
#endif

#if !MQTT
  @Suite("A build without libmosquitto")
  struct MissingMosquittoTests {
    @Test("reports this when samples are to be published")
    func missing() async {
      let courier = MQTTCourier(MQTTBroker(host: "localhost", port: 1883, encryption: .none, clientID: "x"))
      await #expect(
        throws: DeliveryError.libraryMissing(
          name: "libmosquitto (this build of libre was made without it)", package: "libmosquitto1")
      ) { try await courier.publish([], timeoutSeconds: ampleSeconds) }
      await courier.close()
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SampleSync

#if !CURL
  @Suite("A build without libcurl")
  struct MissingCurlTests {
    private static let missing = Verdict.libraryMissing(
      name: "libcurl (this build of libre was made without it)", package: "libcurl4")

    @Test("reports this when samples are to be sent by HTTP, and when they are to be published")
    func missing() async {
      await #expect(throws: Self.missing) {
        try await HTTPCourier(agent: "x").perform(HTTPRequest(.get, "http://127.0.0.1/"), timeoutSeconds: ampleSeconds)
      }
      let courier = MQTTCourier(MQTTBroker(host: "localhost", port: 1883, encryption: .none, clientID: "x"))
      await #expect(throws: Self.missing) { try await courier.publish([], timeoutSeconds: ampleSeconds) }
      await courier.close()
    }
  }
#endif

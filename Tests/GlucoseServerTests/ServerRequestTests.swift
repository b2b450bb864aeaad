// SPDX-License-Identifier: Apache-2.0
import GlucoseServer
import Testing

@Suite("The parts of a request")
struct ServerRequestTests {
  @Test("the first of several parameters with a name counts")
  func firstParameter() {
    let request = ServerRequest(path: ["api"], query: [("count", "3"), ("count", "5")])
    #expect(request["count"] == "3" && request["token"] == nil)
  }
}

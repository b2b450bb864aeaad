// SPDX-License-Identifier: Apache-2.0
#if CURL
  import Foundation
  import TestSupport
  import Testing

  @testable import SampleSync

  @Suite("The HTTP courier and certificates", .startsProcesses)
  struct HTTPCertificateTests {
    let folder = try? TemporaryDirectory()

    private func failure(_ server: LoopbackProgram, trusting authorities: String?) async -> Verdict? {
      await .of { () async throws(Verdict) in
        _ = try await HTTPCourier(agent: "libre/1.2.3", authorities: authorities)
          .perform(HTTPRequest(.get, "https://localhost:\(server.port)/"), timeoutSeconds: ampleSeconds)
      }
    }

    @Test("accept a certificate that is trusted and for this host")
    func trusted() async throws {
      let folder = try #require(folder)
      try folder.makeCertificate("a", for: "localhost")
      let server = try LoopbackProgram(tls: folder, certificate: "a")
      let response = try await HTTPCourier(agent: "libre/1.2.3", authorities: folder.path("a.crt"))
        .perform(HTTPRequest(.get, "https://localhost:\(server.port)/"), timeoutSeconds: ampleSeconds)
      #expect(response.status == 200)
      #expect(String(decoding: response.body, as: UTF8.self).contains("TLSv1.3"))
    }

    @Test("refuse one that is not signed or for another host, and a list of authorities that cannot be read")
    func refused() async throws {
      let folder = try #require(folder)
      try folder.makeCertificate("good", for: "localhost")
      try folder.makeCertificate("other", for: "other.example")
      let missing = folder.path("nothing.crt")
      for (name, authorities, words) in [
        ("good", nil, "the certificate of PLACE is not trusted here; if it is your own, put its CA into"),
        ("other", folder.path("other.crt"), "the certificate of PLACE is for another host name"),
        ("good", missing, "the trusted certificates in \(missing) cannot be read"),
      ] as [(String, String?, String)] {
        let server = try LoopbackProgram(tls: folder, certificate: name)
        guard case .misdirected(let reason) = await failure(server, trusting: authorities) else {
          Issue.record("\(words)")
          continue
        }
        #expect(reason.hasPrefix(words.replacing("PLACE", with: "https://localhost:\(server.port)")), "\(reason)")
      }
    }

    @Test("report a server with less than TLS 1.2 as unavailable")
    func noHandshake() async throws {
      let folder = try #require(folder)
      try folder.makeCertificate("a", for: "localhost")
      let old = try LoopbackProgram(tls: folder, certificate: "a", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0")
      #expect(
        await failure(old, trusting: folder.path("a.crt"))
          == .unavailable(reason: "https://localhost:\(old.port): SSL connect error"))
    }
  }
#endif

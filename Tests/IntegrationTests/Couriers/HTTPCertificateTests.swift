// SPDX-License-Identifier: Apache-2.0
#if CURL
  import Foundation
  import TestSupport
  import Testing

  @testable import SampleSync

  @Suite("The HTTP courier and certificates", .startsProcesses)
  struct HTTPCertificateTests {
    let folder = try? TemporaryDirectory()

    private func failure(_ server: TLSServer, trusting authorities: String?) async -> DeliveryError? {
      do throws(DeliveryError) {
        _ = try await HTTPCourier(agent: "libre/1.2.3", authorities: authorities)
          .perform(HTTPRequest(.get, "https://localhost:\(server.port)/"), timeoutSeconds: ampleSeconds)
        return nil
      } catch {
        return error
      }
    }

    @Test("accept a certificate that is trusted and for this host")
    func trusted() async throws {
      let folder = try #require(folder)
      try folder.makeCertificate("a", for: "localhost")
      let server = try TLSServer(folder, certificate: "a")
      let response = try await HTTPCourier(agent: "libre/1.2.3", authorities: folder.path("a.crt"))
        .perform(HTTPRequest(.get, "https://localhost:\(server.port)/"), timeoutSeconds: ampleSeconds)
      #expect(response.status == 200)
      #expect(String(decoding: response.body, as: UTF8.self).contains("TLSv1.3"))
    }

    @Test("refuse a certificate that no authority has signed")
    func untrusted() async throws {
      let folder = try #require(folder)
      try folder.makeCertificate("a", for: "localhost")
      let server = try TLSServer(folder, certificate: "a")
      #expect(
        await failure(server, trusting: nil)
          == .misdirected(
            reason:
              "the certificate of https://localhost:\(server.port) is not trusted here; if it is your own, put its CA "
              + "into /usr/local/share/ca-certificates and run sudo update-ca-certificates"))
    }

    @Test("refuse a certificate for another host")
    func otherHost() async throws {
      let folder = try #require(folder)
      try folder.makeCertificate("a", for: "other.example")
      let server = try TLSServer(folder, certificate: "a")
      #expect(
        await failure(server, trusting: folder.path("a.crt"))
          == .misdirected(
            reason: "the certificate of https://localhost:\(server.port) is for another host name; use the name in it"))
    }

    @Test("refuse an expired certificate")
    func expired() async throws {
      let folder = try #require(folder)
      try folder.makeExpiredCertificate("a")
      let server = try TLSServer(folder, certificate: "a")
      #expect(
        await failure(server, trusting: folder.path("a.crt"))
          == .misdirected(
            reason:
              "the certificate of https://localhost:\(server.port) has expired; renew it, or check this machine's "
              + "clock"))
    }

    @Test("report a file of trusted certificates that cannot be read")
    func noAuthorities() async throws {
      let folder = try #require(folder)
      try folder.makeCertificate("a", for: "localhost")
      let server = try TLSServer(folder, certificate: "a")
      #expect(
        await failure(server, trusting: folder.path("nothing.crt"))
          == .misdirected(
            reason: "the trusted certificates in \(folder.path("nothing.crt")) cannot be read; correct the path"))
    }

    @Test("report a server with less than TLS 1.2, or without TLS, as unavailable")
    func noHandshake() async throws {
      let folder = try #require(folder)
      try folder.makeCertificate("a", for: "localhost")
      let old = try TLSServer(folder, certificate: "a", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0")
      let words = "SSL connect error"
      #expect(
        await failure(old, trusting: folder.path("a.crt"))
          == .unavailable(reason: "https://localhost:\(old.port): \(words)"))
      let plain = try LoopbackServer { connection in
        connection.receive()
        connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        connection.hang()
      }
      do throws(DeliveryError) {
        _ = try await HTTPCourier(agent: "x")
          .perform(HTTPRequest(.get, "https://localhost:\(plain.port)/"), timeoutSeconds: ampleSeconds)
        Issue.record("it was answered")
      } catch {
        guard case .unavailable = error else {
          Issue.record("\(error)")
          return
        }
      }
    }
  }
#endif

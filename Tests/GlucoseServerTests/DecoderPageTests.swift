// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("The page that decodes memories")
struct DecoderPageTests {
  @Test("is the installed file, in no frame of another page; a command without it answers 404 with the reason")
  func served() throws {
    let directory = try TemporaryDirectory()
    let endpoint = DecoderPageEndpoint(path: directory.path("decode.html"))
    func answer(_ path: String, _ pathExtension: String? = nil) throws -> ServerAnswer? {
      try endpoint.answer(ServerRequest(path: [path], pathExtension: pathExtension, query: []), ServedStore().context)
    }
    let missing = try #require(try answer("decode"))
    #expect(missing.status == 404 && missing.text.contains("installed without the page"))
    try directory.write("<!DOCTYPE html><title>x</title>", to: "decode.html")
    let page = try #require(try answer("decode"))
    #expect(page.status == 200 && page.text == "<!DOCTYPE html><title>x</title>")
    #expect(page.contentType == "text/html; charset=utf-8")
    #expect(page.header("Content-Security-Policy") == "frame-ancestors 'none'")
    #expect(try answer("decode", "json") == nil && answer("decoder") == nil)
  }

  @Test("lies in share beside the command's directory")
  func place() {
    #expect(DecoderPageEndpoint.path(besides: "/usr/bin/libre") == "/usr/share/libre/decode.html")
    #expect(DecoderPageEndpoint.path(besides: "/home/a/.local/bin/libre") == "/home/a/.local/share/libre/decode.html")
  }
}

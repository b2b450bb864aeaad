// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("The page that decodes memories")
struct DecoderPageTests {
  private let directory: TemporaryDirectory
  private let endpoint: DecoderPageEndpoint

  init() throws {
    directory = try TemporaryDirectory()
    endpoint = DecoderPageEndpoint(path: directory.path("decode.html"))
  }

  private func answer(_ path: String, _ pathExtension: String? = nil) throws -> ServerAnswer? {
    try endpoint.answer(ServerRequest(path: [path], pathExtension: pathExtension, query: []), ServedStore().context)
  }

  @Test("is the installed file, and no other page can frame it")
  func served() throws {
    try directory.write(Array("<!DOCTYPE html><title>x</title>".utf8), to: "decode.html")
    let answer = try #require(try answer("decode"))
    #expect(answer.status == 200 && answer.text == "<!DOCTYPE html><title>x</title>")
    #expect(answer.contentType == "text/html; charset=utf-8")
    #expect(answer.header("Content-Security-Policy") == "frame-ancestors 'none'")
    #expect(try self.answer("decode", "json") == nil && self.answer("decoder") == nil)
  }

  @Test("a command that was installed without it answers 404 with the reason")
  func missing() throws {
    let answer = try #require(try answer("decode"))
    #expect(answer.status == 404 && answer.text.contains("installed without the page"))
  }

  @Test("lies in share beside the command's directory")
  func place() {
    #expect(DecoderPageEndpoint.path(besides: "/usr/bin/libre") == "/usr/share/libre/decode.html")
    #expect(DecoderPageEndpoint.path(besides: "/home/a/.local/bin/libre") == "/home/a/.local/share/libre/decode.html")
  }
}

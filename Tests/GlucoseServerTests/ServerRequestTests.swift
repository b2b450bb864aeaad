// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import GlucoseServer

@Suite("The parser of a request")
struct ServerRequestTests {
  @Test(
    "splits an address into its parts, whatever a person typed",
    arguments: [
      ("/api/v1/entries.json", ["api", "v1", "entries"], "json"),
      ("//api/v1/entries.json/", ["api", "v1", "entries"], "json"),
      ("/sgv.json}", ["sgv"], "json"),
      ("/SGV.JSON", ["SGV"], "json"),
      ("http://example.org/api/v2/properties", ["api", "v2", "properties"], nil),
      ("http://example.org", [], nil),
      ("", [], nil),
      ("/favicon.ico", ["favicon.ico"], nil),
      ("/.json", [".json"], nil),
      ("/api/v2/authorization/request/a.b.c", ["api", "v2", "authorization", "request", "a.b.c"], nil),
      ("/api/v1/entries%2Ejson", ["api", "v1", "entries"], "json"),
      ("/entries#top?count=3", ["entries"], nil),
      ("/%zz%4", ["%zz%4"], nil),
    ] as [(String, [String], String?)])
  func path(target: String, path: [String], pathExtension: String?) {
    let request = ServerRequest(target: target)
    #expect(request.path == path && request.pathExtension == pathExtension)
  }

  @Test(
    "treats brackets the same raw, escaped and half escaped",
    arguments: [
      "find[date][$gt]=1", "find%5Bdate%5D%5B%24gt%5D=1", "find%5Bdate%5D%5B$gt%5D=1", "find%5bdate%5d[$gt]=1",
    ])
  func brackets(query: String) {
    #expect(ServerRequest(target: "/entries.json?\(query)")["find[date][$gt]"] == "1")
  }

  @Test("reads a plus sign in a query as a space, and in a path as a plus sign")
  func plus() {
    let request = ServerRequest(target: "/a+b?find[eventType]=Temp+Basal&at=2026-01-01T10:00:00%2B01:00")
    #expect(request.path == ["a+b"])
    #expect(request["find[eventType]"] == "Temp Basal" && request["at"] == "2026-01-01T10:00:00+01:00")
  }

  @Test("ignores empty parameters, uses the first of a name, keeps 256 at most, and replaces bytes that are not text")
  func emptyParameters() {
    let request = ServerRequest(target: "/?&a&&b=&c=d=e")
    #expect(request.query.map(\.name) == ["a", "b", "c"] && request.query.map(\.value) == ["", "", "d=e"])
    #expect(ServerRequest(target: "/?count=3&count=5")["count"] == "3" && request["token"] == nil)
    #expect(ServerRequest(target: "/?" + String(repeating: "a=1&", count: 10_000)).query.count == 256)
    #expect(ServerRequest(target: "/%FF?a=%C3").query.first?.value == "\u{FFFD}")
  }

  @Test("finds header names in any case, and uses the first of two equal fields")
  func headers() {
    let request = ServerRequest(
      method: "HEAD", target: "/",
      headers: [(name: "API-Secret", value: "a"), (name: "api-secret", value: "b"), (name: "Accept", value: "*/*")])
    #expect(request.headers == ["api-secret": "a", "accept": "*/*"] && request.method == .head)
    #expect(ServerRequest(method: "DELETE", target: "/", headers: []).method == .other)
  }
}

extension ServerRequest {
  fileprivate init(target: String) { self.init(method: "GET", target: target, headers: []) }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("The status of the server")
struct StatusTests {
  private let example = ServedExample()

  @Test(
    "the status is the same at each address", arguments: ["/api/v1/status.json", "/api/v2/status.json", "/status.json"])
  func addresses(target: String) throws {
    let status = try example.json(target)
    #expect(status["status"].text == "ok" && status["name"].text == "libre" && status["version"].text == "15.0.7")
    #expect(status["serverTime"].text == "2026-01-01T11:06:10.000Z")
    #expect(status["serverTimeEpoch"].number == 1_767_265_570_000)
    #expect(status["apiEnabled"] == .bool(true) && status["careportalEnabled"] == .bool(false))
    #expect(status["authorized"] == .null && status["extendedSettings"].keys.isEmpty)
    #expect(status["settings"]["customTitle"].text == "libre" && status["settings"]["timeFormat"].number == 24)
  }

  @Test("the limits are in mg/dL for both units, and the unit has Nightscout's name")
  func settings() throws {
    for unit in GlucoseUnit.allCases {
      var example = example
      example.unit = unit
      let settings = try example.json("/api/v1/status.json")["settings"]
      #expect(settings["units"].text == (unit == .millimolesPerLitre ? "mmol" : "mg/dl"))
      let limits = ["bgLow", "bgTargetBottom", "bgTargetTop", "bgHigh"].map { settings["thresholds"][$0].number }
      #expect(limits == [54, 70, 180, 250])
    }
  }

  @Test("without an extension the answer is a page, or JSON for a client that asks for it")
  func formats() throws {
    #expect(try example.answer("/api/v1/status").text == "<h1>STATUS OK</h1>")
    #expect(try example.answer("/api/v1/status", headers: ["Accept": "text/plain"]).text == "STATUS OK")
    #expect(try example.answer("/api/v1/status.txt").text == "STATUS OK")
    #expect(try example.json("/api/v1/status", headers: ["Accept": "application/json"])["status"].text == "ok")
    let script = try example.answer("/api/v1/status.js")
    #expect(script.text.hasPrefix("this.serverSettings = {\"status\"") && script.text.hasSuffix("} ;"))
    #expect(script.contentType == "application/javascript; charset=utf-8")
  }

  @Test("a client that sends a token learns that it may read, and when the token expires")
  func authorized() throws {
    for target in ["/api/v1/status.json?token=x", "/api/v1/status.json?secret=x"] {
      let authorized = try example.json(target)["authorized"]
      #expect(authorized["token"].text == "open" && authorized["sub"].text == "reader")
      #expect(authorized["permissionGroups"][0][0].text == "*:*:read")
      #expect(authorized["iat"].number == 1_767_265_570 && authorized["exp"].number == 1_767_294_370)
    }
  }

  @Test("the answer contains neither the name nor the input of the client")
  func nothingEchoed() throws {
    for path in ["/api/v1/status.json", "/api/v2/authorization/request/needle", "/api/v3/status"] {
      #expect(try !example.answer("\(path)?token=needle&x=needle").text.contains("needle"))
    }
  }
}

@Suite("Endpoints that check a secret")
struct LoginTests {
  private let example = ServedExample()
  private let secret = ServerSecret("a secret of some length")!

  @Test("verifyauth answers 200 to every client, and says whether it may read")
  func verifyAuth() throws {
    #expect(
      try example.answer("/api/v1/verifyauth").text == """
        {"status":200,"message":{"canRead":true,"canWrite":false,"isAdmin":false,"message":"OK","rolefound":"FOUND",\
        "permissions":"ROLE"}}
        """)
    var stranger = example
    stranger.isAuthorized = false
    let answer = try stranger.json("/api/v1/verifyauth")
    #expect(answer["message"]["canRead"] == .bool(false) && answer["message"]["message"].text == "UNAUTHORIZED")
  }

  @Test("an unauthorized client gets only the versions")
  func stranger() throws {
    var stranger = example
    stranger.isAuthorized = false
    #expect(try stranger.json("/api/versions").elements.map { $0["url"].text } == ["/api/v1", "/api/v2", "/api/v3"])
    #expect(try stranger.json("/api/v3/version")["result"]["apiVersion"].text == "3.0.3-alpha")
    for target in [
      "/api/v3/status", "/api/v3/entries", "/api/v1/status.json", "/api/v2/authorization/request/x",
      "/api/v1/experiments/test",
    ] {
      #expect(try stranger.answer(target).status == 404, "\(target)")
    }
  }

  @Test("a client with the secret gets a token that the server accepts, with times in seconds")
  func session() throws {
    var example = example
    example.secret = secret
    let session = try example.json("/api/v2/authorization/request/reader-0123456789abcdef")
    #expect(session["iat"].number == 1_767_265_570 && session["exp"].number == 1_767_294_370)
    #expect(session["permissionGroups"][0][0].text == "*:*:read")
    let token = try #require(session["token"].text)
    #expect(secret.accepts(token: token, now: ServedExample.now))
  }
}

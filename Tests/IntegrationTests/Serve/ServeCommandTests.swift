// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The built command as a server.
@Suite("libre serve", .onOwnThreads, .startsProcesses)
struct ServeCommandTests {
  private static let entries = "/api/v1/entries.json?count=3"
  private static let secret = "correct horse battery"

  @Test("only one server can use an address, and a signal ends it with status 130, even while event streams are open")
  func interruption() throws {
    let server = try RunningServer()
    let second = try server.sandbox.run(
      "serve", "--listen", "127.0.0.1:\(server.port)", "--store", RunningServer.store)
    #expect(second.status == 69 && second.errors.contains("another program listens on 127.0.0.1:\(server.port)"))
    let streams = try (0..<10).map { _ in
      let stream = try #require(LoopbackConnection(to: server.port))
      stream.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(stream.received(upTo: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
      return stream
    }
    server.program.send(SIGTERM)
    let outcome = try server.program.outcome()
    #expect(outcome.status == 130 && outcome.errors.isEmpty, "\(outcome.errors)")
    // The streams end as they should: with the last of their chunks.
    for stream in streams { #expect(stream.receivedToEnd().hasSuffix("0\r\n\r\n")) }
  }

  @Test("HEAD returns the header of GET, HTTP/1.0 closes the connection, and HTTP/1.1 keeps it")
  func protocolVersions() throws {
    let server = try RunningServer()
    let got = try server.ask(Self.entries)
    let head = try server.ask(Self.entries, "HEAD")
    #expect(got.status == 200 && !got.body.isEmpty && head.status == 200 && head.body.isEmpty)
    let connection = try #require(LoopbackConnection(to: server.port))
    let request = "HEAD \(Self.entries) HTTP/1.1\r\nHost: localhost\r\n"
    // Two requests at once, as pipelining clients send them.
    connection.send(request + "\r\n" + request + "Connection: Close\r\n\r\n")
    let answers = connection.receivedToEnd().lowercased()
    #expect(answers.components(separatedBy: "http/1.1 200 ok\r\n").count == 3, "\(answers)")
    #expect(answers.contains("content-length: \(got.body.count)\r\n") && answers.contains("date: "))
  }

  @Test("with a secret, no data is readable without it, and no output contains it")
  func secret() throws {
    let server = try RunningServer(["-v", "-v"], environment: ["LIBRE_SERVE_SECRET": Self.secret])
    #expect(try server.ask(Self.entries).status == 401)
    #expect(try server.ask(Self.entries, headers: ["api-secret: wrong"]).status == 401)
    let token = try server.ask("/api/v1/entries.json?token=correct%20horse%20battery")
    #expect(token.status == 200 && token.text.contains("sgv"))
    server.program.send(SIGTERM)
    let outcome = try server.program.outcome()
    let said = outcome.text + outcome.errors
    #expect(outcome.errors.contains("a client sent a wrong secret") && outcome.errors.contains("127.0.0.1"))
    #expect(outcome.text.contains("?token=SECRET"))
    #expect(!said.contains("horse") && !said.contains("token=correct"))
  }

  @Test("each person has an address and a secret of their own, and the other one's secret opens nothing")
  func persons() throws {
    let sandbox = try Sandbox()
    let server = try RunningServer(twoPeopleIn: sandbox, secret: Self.secret)
    let secrets = ["": Self.secret, "/person/ann": "a secret of ann alone"]
    var devices: [String: Set<String>] = [:]
    for (prefix, secret) in secrets {
      for (_, other) in secrets where other != secret {
        #expect(try server.ask("\(prefix)\(Self.entries)", headers: ["api-secret: \(other)"]).status == 401)
      }
      let answer = try server.ask("\(prefix)\(Self.entries)", headers: ["api-secret: \(secret)"])
      devices[prefix] = Set(try JSONValue(parsing: answer.body).elements.compactMap { $0["device"].text })
    }
    #expect(devices[""]?.count == 1 && devices["/person/ann"]?.count == 1 && devices[""] != devices["/person/ann"])
    // Without the slash, the page's links would lead to the user's values.
    let connection = try #require(LoopbackConnection(to: server.port))
    connection.send("GET /person/ann?hours=6 HTTP/1.1\r\nHost: localhost\r\nConnection: Close\r\n\r\n")
    let moved = connection.receivedToEnd()
    #expect(moved.hasPrefix("HTTP/1.1 308") && moved.contains("Location: /person/ann/?hours=6\r\n"), "\(moved)")
    #expect(try server.ask("/person/ann/?token=a%20secret%20of%20ann%20alone").text.contains("<title>Glucose</title>"))
    #expect(try server.ask("/person/ben/\(Self.entries)", headers: ["api-secret: \(Self.secret)"]).status == 404)
    server.program.send(SIGTERM)
    let outcome = try server.program.outcome()
    #expect(outcome.status == 130 && outcome.text.contains("\nann:\n") && !outcome.text.contains("alone"))
  }

  @Test("without a secret of 12 bytes it is for this computer only; beyond it, it says that it speaks plain HTTP")
  func otherAddress() throws {
    let sandbox = try RunningServer.filled()
    let arguments = ["serve", "--listen", "0.0.0.0:0", "--store", RunningServer.store]
    let open = try sandbox.run(arguments)
    #expect(open.status == 78 && open.errors.contains("others can reach 0.0.0.0:0, and no secret is set"))
    let short = try sandbox.run(arguments, environment: ["LIBRE_SERVE_SECRET": "too short"])
    #expect(short.status == 78 && short.errors.contains("the secret is shorter than 12 bytes"))
    let program = try sandbox.start(
      program: Sandbox.binary, arguments, environment: ["LIBRE_SERVE_SECRET": Self.secret])
    defer { program.send(SIGKILL) }
    try eventually("the server listens") { try program.lines().contains { $0.contains("SECRET is the secret") } }
    program.send(SIGTERM)
    let outcome = try program.outcome()
    #expect(outcome.errors.contains("unencrypted (plain HTTP)") && outcome.errors.contains("Try: a proxy"))
    // An address that nobody can open is not printed.
    #expect(!outcome.lines.dropFirst().contains { $0.contains("0.0.0.0") }, "\(outcome.text)")
  }

  @Test("a Unix socket is private to this user and to one server, and is deleted when the server ends")
  func unixSocket() throws {
    let sandbox = try RunningServer.filled()
    let path = sandbox.path("socket")
    let arguments = ["serve", "--listen", "unix:\(path)", "--store", RunningServer.store]
    let program = try sandbox.start(
      program: "/bin/sh", ["-c", "umask 000; exec \"$LIBRE\" \"$@\"", "sh"] + arguments)
    defer { program.send(SIGKILL) }
    try eventually("the server listens") { try program.lines().contains { $0.hasPrefix("Listening on unix:") } }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let second = try sandbox.run(arguments)
    #expect(second.status == 69 && second.errors.contains("another program listens on unix:"))
    program.send(SIGTERM)
    #expect(try program.outcome().status == 130)
    #expect(!FileManager.default.fileExists(atPath: path))
    try sandbox.write("keep me", to: "socket")
    let taken = try sandbox.run(arguments)
    #expect(taken.status == 69 && taken.errors.contains("a file that is not a socket is there"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep me")
  }

  @Test("with --watch the sensor on the reader is read, stored and served")
  func watch() throws {
    let server = try RunningServer(["--watch", "--reader", "sim:active"], in: Sandbox())
    try eventually("a value of the reader is served") { try server.ask(Self.entries).text.contains("sgv") }
    server.program.send(SIGINT)
    #expect(try server.program.outcome().status == 130)
    #expect(try server.sandbox.run("history", "--from", "all", "--store", RunningServer.store).status == 0)
  }

  @Test("--make-secret makes the file of a missing secret, says where it is, and never changes one that is there")
  func madeSecret() throws {
    let sandbox = try RunningServer.filled()
    let file = sandbox.path("state/serve-secret")
    func served() throws -> (secret: String, errors: String) {
      let server = try RunningServer(["--secret-file", file, "--make-secret"], in: sandbox)
      let secret = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
      #expect(try server.ask(Self.entries).status == 401)
      #expect(try server.ask(Self.entries + "&token=\(secret)").status == 200)
      return (secret, try server.program.errorText())
    }
    let first = try served()
    #expect(first.secret.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    #expect(first.errors.contains(file) && !first.errors.contains(first.secret))
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let second = try served()
    #expect(second.secret == first.secret && second.errors.isEmpty)
  }
}

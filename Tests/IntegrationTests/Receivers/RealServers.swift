// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Debian's InfluxDB 1.6 in a folder of the test's own, with a database and a user.
final class InfluxServer: Receiver {
  static let path = "/usr/bin/influxd"
  static let user = "ann"
  static let secret = "influx of ann"
  private static let database = "libre"

  private let program: LoopbackProgram
  var port: Int { program.port }

  init(in folder: URL) throws {
    // Its port for backups cannot be switched off.
    let other = try LoopbackServer.closedPort()
    program = try LoopbackProgram(Self.path, in: folder) { port in
      let place = { (name: String) in folder.appending(path: "influx/\(name)").path }
      let settings = """
        reporting-disabled = true
        bind-address = "127.0.0.1:\(other)"
        [meta]
        dir = "\(place("meta"))"
        [data]
        dir = "\(place("data"))"
        wal-dir = "\(place("wal"))"
        [http]
        bind-address = "127.0.0.1:\(port)"
        auth-enabled = true
        log-enabled = false
        [monitor]
        store-enabled = false

        """
      let file = folder.appending(path: "influx.conf").path
      try settings.write(toFile: file, atomically: true, encoding: .utf8)
      return ["run", "-config", file]
    }
    try ask("CREATE USER \(Self.user) WITH PASSWORD '\(Self.secret)' WITH ALL PRIVILEGES")
    try ask("CREATE DATABASE \(Self.database)")
  }

  var held: [HeldValue] {
    let query = "SELECT mgdl FROM glucose GROUP BY *"
    guard let answer = try? ask(query), let json = try? JSONValue(parsing: answer) else { return [] }
    return json["results"][0]["series"].elements.flatMap { series in
      series["values"].elements.compactMap { row in
        guard let time = row[0].number, let value = row[1].number else { return nil }
        return HeldValue(seconds: Int(time), milligramsPerDecilitre: value)
      }
    }
  }

  @discardableResult private func ask(_ query: String) throws -> [UInt8] {
    let parts = [
      "db=\(Self.database)", "epoch=s", "q=\(Self.percent(query))", "u=\(Self.user)", "p=\(Self.percent(Self.secret))",
    ]
    guard let answer = LoopbackClient.ask(port, "POST", "/query?\(parts.joined(separator: "&"))"),
      answer.status == 200
    else { throw ProgramRun.Failure(program: Self.path, output: query) }
    return answer.body
  }

  private static func percent(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  func answer(to request: ReceivedRequest) -> Answer { request.forwarded(to: port) }
}

extension ReceivedRequest {
  /// The answer of another server on this machine to the same request.
  fileprivate func forwarded(to port: Int) -> Answer {
    let target = String(line.split(separator: " ").dropFirst().first ?? "/")
    let kept = headers.filter { header in
      !["host:", "content-length:", "connection:"].contains { header.lowercased().hasPrefix($0) }
    }
    guard let answer = LoopbackClient.ask(port, method, target, headers: kept, body: body) else {
      return Answer(502, "nobody is behind this")
    }
    // A body where none may be would be taken for the next answer.
    return Answer(answer.status, answer.status == 204 ? "" : answer.text)
  }
}

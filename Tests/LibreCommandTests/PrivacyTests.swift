// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// What the command tells to whom: nobody on a network, no other user of the machine, and no log.
@Suite("Privacy") struct PrivacyTests {
  private let sandbox: Sandbox
  private static let sensor = "E007A0FF3D6CF1EE"

  init() throws {
    sandbox = try Sandbox()
    try sandbox.copy("active.hex", to: "dump.hex")
  }

  /// Each with a store, and one of them makes it. What sends is not among them.
  private static let offline = [
    "import dump.hex --read-at 1714645800", "read --reader sim:active --trace t.trace --save s.hex",
    "read --reader replay:t.trace --no-store", "watch --reader sim:active --count 1 --no-store",
    "decode dump.hex --with-store", "inspect dump.hex", "convert dump.hex --to flipper --out f.nfc", "latest",
    "history",
    "stats", "sensors", "status", "plot", "report --out r.html", "export --to csv --out e.csv",
    "compare --memories dump.hex", "formats", "schema reading", "simulate --out sim.hex", "config show", "config check",
    "sink list", "outbox list", "store check", "store vacuum",
  ]

  private static let offlineWithSink = offline + ["sync --dry-run", "sink show one"]

  private static let sink = "sink add one webhook url=http://127.0.0.1:9 --secret-stdin"

  private static let hasNamespaces = (try? Sandbox().shell("unshare -rn true").status) == 0
  private static let strace = "/usr/bin/strace"

  @Test(
    "only sending asks for a socket of a network",
    .enabled(if: FileManager.default.isExecutableFile(atPath: Self.strace), "strace is not installed"))
  func sockets() throws {
    func asked(_ command: String) throws -> String {
      _ = try sandbox.shell("\(Self.strace) -f -qq -e trace=socket -o calls $LIBRE \(command) < /dev/null")
      return try String(contentsOfFile: sandbox.path("calls"), encoding: .utf8)
    }
    for command in Self.offline {
      #expect(try !asked(command).contains("AF_INET"), "without a sink: \(command)")
    }
    #expect(try sandbox.shell("echo word | $LIBRE \(Self.sink) --backfill-days 36500").status == 0)
    for command in Self.offlineWithSink {
      #expect(try !asked(command).contains("AF_INET"), "with a sink: \(command)")
    }
    #expect(try asked("sync --now").contains("AF_INET"))
  }

  @Test(
    "the offline commands do their work where there is no network",
    .enabled(if: hasNamespaces, "the kernel gives no network namespace"))
  func emptyNamespace() throws {
    for command in Self.offline {
      let outcome = try sandbox.shell("unshare -rn $LIBRE \(command) < /dev/null")
      #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    }
  }

  @Test("every file that holds values or secrets is its owner's alone, whatever the umask")
  func modes() throws {
    let commands = Self.offlineWithSink + ["store merge old.sqlite"]
    let script = """
      umask 000
      $LIBRE read --reader sim:active --store old.sqlite > /dev/null
      echo word | $LIBRE \(Self.sink) > /dev/null
      \(commands.map { "$LIBRE \($0) < /dev/null > /dev/null || exit 1" }.joined(separator: "\n"))
      $LIBRE sync > /dev/null 2>&1
      find config/libre data/libre *.trace s.hex f.nfc r.html e.csv old.sqlite* \\( -type f -o -type d \\) -perm /077
      find config data -name history.sqlite -o -name one -o -name config.toml
      """
    let outcome = try sandbox.shell(script)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.lines.sorted() == [
        "config/libre/config.toml", "config/libre/secrets/one", "data/libre/history.sqlite",
      ], "only these were to be found, and nothing that others can read")
  }

  @Test("no log, message, error or transcript names a sensor")
  func identifiers() throws {
    let shown = try sandbox.run("read", "--reader", "sim:active", "--no-store", "--json")
    #expect(shown.text.contains(Self.sensor), "this is what is looked for below")
    let serial = try #require(try shown.json()["sensor"]["serial"].text)
    let backward = stride(from: 14, through: 0, by: -2).map { index in
      String(Self.sensor.dropFirst(index).prefix(2))
    }
    // As it is printed, and in the order of the air.
    let names = [Self.sensor, serial, backward.joined(separator: " "), backward.joined()]
    try sandbox.write("broken: \(Self.sensor)\n", to: "broken.hex")
    for command in Self.offline + [
      "decode broken.hex", "decode broken.hex --json",
    ] {
      let errors = try sandbox.shell("$LIBRE \(command) -v -v < /dev/null").errors
      for name in names { #expect(!errors.localizedCaseInsensitiveContains(name), "\(command): \(errors)") }
    }
    let trace = try String(contentsOfFile: sandbox.path("t.trace"), encoding: .utf8)
    for name in names { #expect(!trace.localizedCaseInsensitiveContains(name)) }
    _ = try sandbox.shell("$LIBRE read --reader sim:active --no-store --trace named.trace --show-identifiers")
    let named = try String(contentsOfFile: sandbox.path("named.trace"), encoding: .utf8)
    #expect(named.localizedCaseInsensitiveContains(backward.joined(separator: " ")))
  }
}

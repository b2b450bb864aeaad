// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The command reveals nothing to a network, to other users of the machine, or to a log.
///
/// Each test looks at one fact about the same run of all commands.
@Suite("Privacy") struct PrivacyTests {
  private static let sensor = "E007A0FF3D6CF1EE"

  /// All of them use a store, and the first makes it.
  private static let offline = [
    "import dump.hex --read-at 1714645800", "read --reader sim:active --trace t.trace --save s.hex",
    "read --reader replay:t.trace --no-store", "watch --reader sim:active --count 1 --no-store",
    "decode dump.hex --with-store", "inspect dump.hex", "convert dump.hex --to flipper --out f.nfc", "latest",
    "history",
    "stats", "sensors", "status", "plot --from all", "report --from all --out r.html", "export --to csv --out e.csv",
    "compare --memories dump.hex", "formats", "schema reading", "simulate --out sim.hex", "config show", "config check",
    "sink list", "setup", "outbox list", "store check", "store vacuum", "store merge old.sqlite",
  ]

  private static let ofSink = ["sync --dry-run", "sink show one"]

  /// Commands that report a sensor's name as invalid input, with status 65.
  private static let failing = ["decode broken.hex", "decode broken.hex --json"]

  private static let sink = "sink add one webhook url=http://127.0.0.1:9 --secret-stdin"

  private static let hasNamespaces = (try? Sandbox().shell("unshare -rn true").status) == 0
  private static let strace = "/usr/bin/strace"
  /// The leak sanitizer cannot work in a program that strace looks at.
  private static let hasStrace = FileManager.default.isExecutableFile(atPath: strace) && !Sandbox.isSanitized

  /// A run of commands that do not send, one after the other, and of `sync` at the end: with the umask 000, with
  /// strace, and without a network until `sync`, where the system allows that.
  private struct Run: Sendable {
    let sandbox: Sandbox
    /// A command, with its exit status and its standard error.
    let results: [(command: String, status: Int32, errors: String)]
    /// The calls of `socket` of each command, and those of `sync`; nil without strace.
    let calls: (offline: [String], sending: String)?
    /// The files that others may read, and the three that have to be there.
    let found: [String]

    init(_ commands: [String], hasSink: Bool) throws {
      sandbox = try Sandbox()
      try sandbox.copy("active.hex", to: "dump.hex")
      try sandbox.write("broken: \(PrivacyTests.sensor)\n", to: "broken.hex")
      let lines = commands.indices.map { index in
        "\(Self.traced("\(index)"))$LIBRE \(commands[index]) -v -v < /dev/null > /dev/null 2> logs/\(index).errors; echo $?"
      }
      try sandbox.write("umask 000\n\(lines.joined(separator: "\n"))\n", to: "commands.sh")
      let outcome = try sandbox.shell(
        """
        set -e
        umask 000
        mkdir logs
        $LIBRE read --reader sim:active --store old.sqlite > /dev/null
        \(hasSink ? "echo word | $LIBRE \(sink) --backfill-days 36500 > /dev/null" : "")
        \(hasNamespaces ? "unshare -rn" : "") sh commands.sh
        \(Self.traced("sync"))$LIBRE sync --now > /dev/null 2> logs/sync.errors < /dev/null || true
        find config/libre data/libre *.trace s.hex f.nfc r.html e.csv old.sqlite* \\( -type f -o -type d \\) -perm /077
        find config data -name history.sqlite -o -name one -o -name config.toml
        """)
      try #require(outcome.lines.count >= commands.count, "\(outcome.errors)")
      let log = { [sandbox] (name: String) in try String(contentsOfFile: sandbox.path("logs/\(name)"), encoding: .utf8)
      }
      results = try zip(commands, outcome.lines).enumerated().map { index, result in
        (result.0, Int32(result.1) ?? -1, try log("\(index).errors"))
      }
      calls = hasStrace ? (try commands.indices.map { try log("\($0).calls") }, try log("sync.calls")) : nil
      found = outcome.lines.dropFirst(commands.count).sorted()
    }

    private static func traced(_ name: String) -> String {
      hasStrace ? "\(strace) -f -qq -e trace=socket -o logs/\(name).calls " : ""
    }
  }

  private static let withSink = Result { try Run(offline + ofSink + failing, hasSink: true) }
  private static let withoutSink = Result { try Run(offline + failing, hasSink: false) }

  /// With a sink there is more to go wrong; `make full` looks at both.
  private static func runs() throws -> [Run] {
    try TestTier.current == .full ? [withSink.get(), withoutSink.get()] : [withSink.get()]
  }

  @Test(
    "only sending opens a network socket",
    .enabled(if: Self.hasStrace, "strace is not installed, or there is a sanitizer"))
  func sockets() throws {
    for run in try Self.runs() {
      for (result, calls) in zip(run.results, try #require(run.calls).offline) {
        #expect(!calls.contains("AF_INET"), "\(result.command)")
      }
    }
    #expect(try #require(try Self.withSink.get().calls).sending.contains("AF_INET"))
  }

  @Test(
    "the offline commands work without a network",
    .enabled(if: hasNamespaces, "the kernel gives no network namespace"))
  func emptyNamespace() throws {
    for run in try Self.runs() {
      for result in run.results {
        #expect(
          result.status == (Self.failing.contains(result.command) ? 65 : 0), "\(result.command): \(result.errors)")
      }
    }
  }

  @Test("every file with values or secrets is readable by its owner only, for every umask")
  func modes() throws {
    let run = try Self.withSink.get()
    for result in run.results where !Self.failing.contains(result.command) {
      #expect(result.status == 0, "\(result.command): \(result.errors)")
    }
    #expect(
      run.found == ["config/libre/config.toml", "config/libre/secrets/one", "data/libre/history.sqlite"],
      "only these must be found, and none that others can read")
  }

  @Test("no log, message, error or transcript names a sensor")
  func identifiers() throws {
    let sandbox = try Sandbox()
    let shown = try sandbox.run(
      "read", "--reader", "sim:active", "--no-store", "--json", "--trace", "named.trace", "--show-identifiers")
    #expect(shown.text.contains(Self.sensor), "this is what is looked for below")
    let serial = try #require(try shown.json()["sensor"]["serial"].text)
    let backward = stride(from: 14, through: 0, by: -2).map { index in
      String(Self.sensor.dropFirst(index).prefix(2))
    }
    // As it is printed, and in the order of the air.
    let names = [Self.sensor, serial, backward.joined(separator: " "), backward.joined()]
    for run in try Self.runs() {
      #expect(run.results.contains { $0.errors.contains("libre: info: ") }, "there is a log")
      for result in run.results {
        for name in names {
          #expect(!result.errors.localizedCaseInsensitiveContains(name), "\(result.command): \(result.errors)")
        }
      }
      let trace = try String(contentsOfFile: run.sandbox.path("t.trace"), encoding: .utf8)
      for name in names { #expect(!trace.localizedCaseInsensitiveContains(name)) }
    }
    let named = try String(contentsOfFile: sandbox.path("named.trace"), encoding: .utf8)
    #expect(named.localizedCaseInsensitiveContains(backward.joined(separator: " ")))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Each batch of stores runs in a process of its own, this test program again: a trap or a statement without end stops
/// the batch and not the tests. `LIBRE_HOSTILE_SEED` chooses other stores, `LIBRE_HOSTILE_ROUNDS=9980-9999` some of them.
@Suite("Stores that were damaged or changed by others", .startsProcesses)
struct HostileStoreTests {
  static let seed = ProcessInfo.processInfo.environment["LIBRE_HOSTILE_SEED"].flatMap(UInt64.init) ?? 1

  @Test("a flipped bit of a row is found by a check, or changes nothing that is shown")
  func bits() throws { try run(.bits, TestTier.rounds(24, full: 1_000)) }

  @Test("no edit makes a command trap, run without end, or show an impossible number or a control character")
  func edits() throws { try run(.edits, TestTier.rounds(24, full: 10_000)) }

  /// The stores that are asked for; by default as many as the tier has.
  private static func chosen(of count: Int) throws -> Range<Int> {
    guard let text = ProcessInfo.processInfo.environment["LIBRE_HOSTILE_ROUNDS"] else { return 0..<count }
    let ends = text.split(separator: "-").compactMap { Int($0) }
    try #require(ends.count == 2 && ends[0] <= ends[1], "LIBRE_HOSTILE_ROUNDS=\(text): use FIRST-LAST")
    return ends[0]..<ends[1] + 1
  }

  private func run(_ kind: HostileBatch.Kind, _ count: Int) throws {
    let rounds = try Self.chosen(of: count)
    let directory = try TemporaryDirectory(isInMemory: true)
    let made = try HostileStore.make()
    try directory.write(made.store, to: HostileBatch.pristine)
    try directory.write(made.configuration, to: "config/libre/config.toml")
    var counts: [String: Int] = [:]
    for first in stride(from: rounds.lowerBound, to: rounds.upperBound, by: 200) {
      let batch = HostileBatch(
        kind: kind, seed: Self.seed, rounds: first..<min(rounds.upperBound, first + 200), directory: directory.path)
      let (status, report) = try batch.outcome()
      for line in report.split(separator: "\n") {
        if line.hasPrefix("FAULT ") { Issue.record("\(line)") } else { counts[String(line), default: 0] += 1 }
      }
      let isDone = report.hasSuffix("END\n")
      #expect(status == 0 && isDone, "ended with \(status) in \(batch.place)")
      counts["END"] = nil
    }
    print("\(kind.rawValue), seed \(Self.seed): \(rounds.count) stores: \(counts.sorted { $0.key < $1.key })")
  }
}

/// The process of a batch: not a test of its own.
@Suite("The process of a batch of hostile stores", .enabled(if: HostileBatch.current != nil))
struct HostileBatchTests {
  @Test("tries its stores") func batch() async throws { try await HostileBatch.current?.run() }
}

struct HostileBatch {
  enum Kind: String {
    case bits
    case edits
  }

  static let pristine = "pristine.sqlite"
  private static let variable = "LIBRE_HOSTILE_BATCH"
  /// CPU seconds for one store with all commands: a hundred times what they take.
  private static let maximumSeconds = 60

  let kind: Kind
  let seed: UInt64
  let rounds: Range<Int>
  let directory: String

  /// The batch for which this process was started.
  static let current: HostileBatch? = {
    let words = (ProcessInfo.processInfo.environment[variable] ?? "").split(separator: " ").map(String.init)
    guard words.count == 5, let kind = Kind(rawValue: words[0]), let seed = UInt64(words[1]),
      let first = Int(words[2]), let end = Int(words[3])
    else { return nil }
    return HostileBatch(kind: kind, seed: seed, rounds: first..<end, directory: words[4])
  }()

  /// The last action of the batch.
  var place: String { (try? String(contentsOfFile: "\(directory)/place", encoding: .utf8)) ?? "its start" }

  /// Runs this program again for the batch; returns its status and what it reported.
  func outcome() throws -> (status: Int32, report: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--testing-library", "swift-testing", "--filter", "HostileBatchTests"]
    var environment = ProcessInfo.processInfo.environment
    environment[Self.variable] = "\(kind.rawValue) \(seed) \(rounds.lowerBound) \(rounds.upperBound) \(directory)"
    for (name, folder) in [("CONFIG", "config"), ("DATA", "data"), ("STATE", "state")] {
      environment["XDG_\(name)_HOME"] = "\(directory)/\(folder)"
    }
    environment["HOME"] = directory
    environment["TZ"] = "UTC"
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try? FileManager.default.removeItem(atPath: "\(directory)/report")
    try process.run()
    process.waitUntilExit()
    let report = (try? String(contentsOfFile: "\(directory)/report", encoding: .utf8)) ?? ""
    return (process.terminationStatus, report)
  }

  // MARK: In the process of the batch

  @MainActor func run() async throws {
    let pristine = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(Self.pristine)")))
    let outputs = StoreOutputs(in: directory)
    let report = open("\(directory)/report", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    func say(_ line: String) { _ = "\(line)\n".withCString { write(report, $0, strlen($0)) } }
    var plain: [StoreOutputs.Output] = []
    let path = "\(directory)/s.sqlite"
    if kind == .bits {
      try HostileStore.write(pristine, to: path)
      plain = await outputs.all(store: path)
      for output in plain where ![0, 200].contains(output.status) {
        say("FAULT \(output.command) of the pristine store: \(output.status)")
      }
    }
    for round in rounds {
      var random = SplitMix64(seed: seed << 32 + UInt64(round))
      try "\(kind.rawValue) \(round) of seed \(seed)".write(
        toFile: "\(directory)/place", atomically: false, encoding: .utf8)
      // The timer counts the process's own CPU time, so that a busy machine does not matter; its signal ends the process.
      var limit = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: Self.maximumSeconds, tv_usec: 0))
      setitimer(__itimer_which_t(ITIMER_VIRTUAL.rawValue), &limit, nil)
      switch kind {
      case .bits: say(try await bit(round, pristine, plain, path, outputs, &random))
      case .edits:
        let words = try HostileStore.edited(pristine, path: path, &random)
        try "edit \(round) of seed \(seed): \(words)".write(
          toFile: "\(directory)/place", atomically: false, encoding: .utf8)
        var result = "opened"
        var all = await outputs.all(store: path)
        all.append(await outputs.output(of: ["store", "check"], store: path))
        if all.last?.status != 0 { result = "opened, damage found" }
        all.append(await outputs.output(of: ["store", "merge", path, "--dry-run"], store: "\(directory)/none.sqlite"))
        if all.first?.status == 74 { result = "refused" }
        for output in all {
          if let fault = output.fault { say("FAULT edit \(round) (\(words)): \(output.command): \(fault)") }
        }
        say(result)
      }
    }
    say("END")
    exit(0)
  }

  private func bit(
    _ round: Int, _ pristine: [UInt8], _ plain: [StoreOutputs.Output], _ path: String, _ outputs: StoreOutputs,
    _ random: inout SplitMix64
  ) async throws -> String {
    let places = HostileStore.rows(of: pristine)
    let place = places[random.number(0...places.count - 1)]
    let mask = UInt8(1) << UInt8(random.number(0...7))
    var flipped = pristine
    flipped[place] ^= mask
    try HostileStore.write(flipped, to: path)
    let check = await outputs.output(of: ["store", "check"], store: path)
    if check.status != 0 { return "found" }
    var shown = await outputs.all(store: path)
    if shown.map(\.steady) == plain.map(\.steady) { return "without effect" }
    // Time passed, so what both show now is compared: only outputs that the pristine store gives twice.
    var differing = ""
    for _ in 0..<3 {
      try HostileStore.write(pristine, to: path)
      let before = await outputs.all(store: path)
      try HostileStore.write(flipped, to: path)
      shown = await outputs.all(store: path)
      try HostileStore.write(pristine, to: path)
      let after = await outputs.all(store: path)
      let other = shown.indices.first {
        before[$0].steady == after[$0].steady && before[$0].steady != shown[$0].steady
      }
      guard let other else { return "without effect" }
      differing = shown[other].command
    }
    return "FAULT bit \(round), byte \(place) mask \(mask): \(differing) differs, and the check found nothing"
  }
}

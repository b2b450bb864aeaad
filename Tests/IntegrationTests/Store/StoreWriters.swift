// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import TestSupport

/// Processes that put readings into one store at the same time, each of them killed upon an event of its own; and what
/// they said was stored.
struct StoreWriters {
  let sandbox: Sandbox
  /// Dumps by name, each with the samples that are in it.
  private(set) var dumps: [String: Set<String>] = [:]

  private static let sensors: ClosedRange<UInt64> = 1...8

  /// The commands that run at the same time.
  enum Kind: CaseIterable {
    case importing, watching

    /// About as many lines as a few runs print.
    var mostLines: Int { self == .importing ? 50 : 400 }
  }

  /// The result of one writer.
  struct Run: Sendable {
    let kind: Kind
    let outcome: Outcome
    var isKilled: Bool { outcome.status == 128 + SIGKILL }
  }

  /// Makes the dumps: of several sensors, at ages whose histories overlap.
  init(in sandbox: Sandbox) throws {
    self.sandbox = sandbox
    for seed in Self.sensors {
      let sensor = SimulatedSensor(seed: seed)
      for step in 0..<12 {
        let text = sensor.image(atAge: 700 + 250 * step).hexDump
        let name = try sandbox.write(text, to: "dumps/sensor-\(seed)-\(step).hex")
        dumps[name] = []
      }
    }
    for line in try sandbox.run(["decode", "--csv"] + dumps.keys.sorted()).lines.dropFirst() {
      let row = PrintedSample(csv: line)
      dumps[row.path]?.insert(row.counts)
    }
  }

  /// Runs one writer of each kind until it is killed, when it has printed so many lines; one that ends earlier begins anew.
  func killed(round: Int, store: String, random: SplitMix64) async throws -> [Run] {
    try await withThrowingTaskGroup(of: [Run].self) { group in
      for (index, kind) in Kind.allCases.enumerated() {
        group.addTask {
          var own = random.branch(index)
          let count = own.number(2...kind.mostLines)
          let draws = own.branch(1)
          return try await blocking { try self.killed(kind, store: store, after: count, random: draws) }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func killed(_ kind: Kind, store: String, after count: Int, random: SplitMix64) throws -> [Run] {
    var random = random
    var runs: [Run] = []
    var lines = 0
    while true {
      let writer = try sandbox.start(arguments(kind, store: store, random: &random))
      var isKilled = false
      try eventually("the writer ends, or has printed its lines") {
        if writer.ends(by: .now()) { return true }
        isKilled = try lines + writer.lines().count >= count
        if isKilled { writer.send(SIGKILL) }
        return isKilled
      }
      let run = Run(kind: kind, outcome: try writer.outcome())
      runs.append(run)
      if isKilled { return runs }
      lines += run.outcome.lines.count
    }
  }

  private func arguments(_ kind: Kind, store: String, random: inout SplitMix64) -> [String] {
    switch kind {
    case .importing:
      ["import", "--mine", "--store", store]
        + dumps.keys.sorted().shuffled(using: &random).prefix(random.number(1...24))
    case .watching:
      [
        "watch", "--csv", "--mine", "--store", store, "--interval", "0.01", "--reader",
        "sim:active:\(random.number(103...108))",
      ]
    }
  }
}

/// A line of `--csv`: `path,uid,serial,ring,minute,time,mg/dL,quality,errors,°C,glucose,temperature,…,id`.
struct PrintedSample {
  let path: String
  /// The identity of the sample, and the counts it was made from.
  let counts: String
  let time: String
  let id: String

  init(csv line: String) {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    path = fields[0]
    counts = [fields[1], fields[3], fields[4], fields[10], fields[11]].joined(separator: "/")
    time = fields[5]
    id = fields[15]
  }
}

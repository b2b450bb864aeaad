// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Dispatch
import Foundation
import SensorSimulator
import TestSupport

/// Processes that put readings into one store at the same time, each of them killed at a moment of its own; and what they
/// said was stored.
struct StoreWriters {
  let sandbox: Sandbox
  /// Dumps by name, each with the samples that are in it.
  private(set) var dumps: [String: Set<String>] = [:]

  private static let sensors: ClosedRange<UInt64> = 1...8

  /// What runs at the same time.
  enum Kind: CaseIterable {
    case importingSome, importingMany, reading, watching
  }

  /// What one writer left.
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

  /// Runs one writer of each kind until it is killed; one that ends earlier begins anew.
  func killed(within longest: Double, store: String, random: SplitMix64) async throws -> [Run] {
    try await withThrowingTaskGroup(of: [Run].self) { group in
      for (index, kind) in Kind.allCases.enumerated() {
        let own = random.branch(index)
        group.addTask {
          try self.killed(kind, store: store, after: longest * own.fraction(at: 0), random: own.branch(1))
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func killed(_ kind: Kind, store: String, after seconds: Double, random: SplitMix64) throws -> [Run] {
    let moment = DispatchTime.now() + seconds
    var random = random
    var runs: [Run] = []
    while true {
      let writer = try sandbox.start(arguments(kind, store: store, random: &random))
      let hasEnded = writer.ends(by: moment)
      if !hasEnded { writer.send(SIGKILL) }
      runs.append(Run(kind: kind, outcome: try writer.outcome()))
      if !hasEnded { return runs }
    }
  }

  func arguments(_ kind: Kind, store: String, random: inout SplitMix64) -> [String] {
    switch kind {
    case .importingSome: importing(random.number(1...3), store, &random)
    case .importingMany: importing(random.number(4...24), store, &random)
    case .reading: ["read", "--csv", "--store", store, "--reader", "sim:active:\(random.number(100...105))"]
    case .watching:
      [
        "watch", "--csv", "--store", store, "--interval", "0.01", "--reader", "sim:active:\(random.number(103...108))",
      ]
    }
  }

  private func importing(_ count: Int, _ store: String, _ random: inout SplitMix64) -> [String] {
    ["import", "--store", store] + dumps.keys.sorted().shuffled(using: &random).prefix(count)
  }
}

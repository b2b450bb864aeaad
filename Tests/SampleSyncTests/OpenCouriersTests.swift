// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleSync
import Testing

@testable import LibreKit
@testable import SampleSync

struct OpenCouriersTests {
  private let open = OpenCouriers()
  private let bench: SyncBench

  init() throws { bench = try SyncBench(.small) }

  private func scan(_ age: Int) throws { try bench.scan(BenchHistory.person, atAge: age) }

  @Test("a courier that works is created once and closed at the end")
  func kept() async throws {
    let (first, second) = (ScriptedCourier(.status(200)), ScriptedCourier(.status(200)))
    #expect(try await bench.send(first, keeping: open) == .done)
    try scan(1_920)
    #expect(try await bench.send(second, keeping: open) == .done)
    #expect(first.requests.count == 2 && second.requests.isEmpty && first.closings == 0)
    await open.closeAll(but: ["night", "other"])
    #expect(first.closings == 0)
    await open.closeAll(but: ["other"])
    await open.closeAll()
    #expect(first.closings == 1)
  }

  @Test("a courier that failed is closed, and another is created", arguments: [401, 503])
  func failed(status: Int) async throws {
    let (first, second) = (ScriptedCourier(.status(status)), ScriptedCourier(.status(200)))
    #expect(try await bench.send(first, keeping: open) != .done)
    #expect(first.closings == 1)
    try bench.store.enable(bench.setup, skipsGap: false, environment: [:])
    #expect(try await bench.send(second, keeping: open) == .done)
    #expect(second.requests.count == 1 && second.closings == 0)
  }

  @Test("a courier of a sink with changed settings is closed, and another is created")
  func changed() async throws {
    let (first, second) = (ScriptedCourier(.status(200)), ScriptedCourier(.status(200)))
    #expect(try await bench.send(first, keeping: open) == .done)
    try scan(1_920)
    let setup = try SyncBench.setup(["timeout_seconds": "5"])
    #expect(try await bench.send(second, to: [setup], keeping: open) == .done)
    #expect(first.closings == 1 && second.requests.count == 1 && second.closings == 0)
  }

  @Test("without a cache each courier is closed at once")
  func notKept() async throws {
    for status in [503, 200] {
      let courier = ScriptedCourier(.status(status))
      _ = try await bench.send(courier, .insists)
      #expect(courier.closings == 1)
    }
  }
}

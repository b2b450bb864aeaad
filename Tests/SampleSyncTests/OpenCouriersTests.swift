// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleSync
import Testing

@testable import LibreKit
@testable import SampleSync

final class OpenCouriersTests: SmallBenchTest {
  private let open = OpenCouriers()

  private func scan(_ age: Int) throws { try bench.scan(BenchHistory.person, atAge: age) }

  @Test("a courier that works is created once and closed at the end; without a cache it is closed at once")
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
    for (status, age) in [(503, 2_400), (200, 2_880)] {
      try scan(age)
      let courier = ScriptedCourier(.status(status))
      _ = try await bench.send(courier, .insists)
      #expect(courier.closings == 1)
    }
  }

  @Test(
    "a courier that failed, or one of a sink with changed settings, is closed, and another is created",
    arguments: [401, 503, 200])
  func replaced(status: Int) async throws {
    let (first, second) = (ScriptedCourier(.status(status)), ScriptedCourier(.status(200)))
    #expect((try await bench.send(first, keeping: open) == .done) == (status == 200))
    #expect(first.closings == (status == 200 ? 0 : 1))
    if status == 200 { try scan(1_920) }
    try bench.store.enable(bench.setup, skipsGap: false, environment: [:])
    let setup = try SyncBench.setup(status == 200 ? ["timeout_seconds": "5"] : [:])
    #expect(try await bench.send(second, to: [setup], keeping: open) == .done)
    #expect(first.closings == 1 && second.requests.count == 1 && second.closings == 0)
  }
}

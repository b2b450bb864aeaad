// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import Testing

final class WearDatingTests: StoreTest {
  private func seconds(_ instant: Instant?) -> Int64? {
    instant.map { $0.secondsSince1970 - ReadingFixture.start.secondsSince1970 }
  }

  private func start(of scans: [IncomingScan]) throws -> Int64? {
    let store = try StoreFolder().store()
    for scan in scans { _ = try store.add(scan) }
    return seconds(try store.onlyWear().anchor.activatedAt)
  }

  private func scan(_ age: Int, second: Int64, ahead: Int64 = 0) -> IncomingScan {
    ReadingFixture().with { ($0.second, $0.clockError) = (second, ahead) }.scan(age)
  }

  @Test("a clock that was wrong at the youngest scan is overruled by two scans that agree, but not by one")
  func alone() throws {
    let wrong = scan(1_000, second: 0, ahead: -7_200)
    #expect(try start(of: [wrong, scan(1_010, second: 30)]) == -7_200)
    // A scan at the same age was read with the same clock.
    #expect(try start(of: [wrong, scan(1_010, second: 30), scan(1_010, second: 31)]) == -7_200)
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      let scans = [wrong, scan(1_010, second: 30), scan(1_020, second: 10)]
      #expect(try start(of: order.map { scans[$0] }) == 30)
    }
    // However often a clock is wrong later, the two that agree first are believed.
    let later = (1...9).map { scan(2_000 + $0, second: 0, ahead: 86_400) }
    #expect(try start(of: later + [scan(1_010, second: 30), scan(1_000, second: 20)]) == 20)
  }

  @Test("a scan that moves the start says by how much, and every sample counts as changed")
  func moved() throws {
    #expect(try store.add(scan(1_500, second: 50)).startMovedSeconds == nil)
    let before = try store.anchor()
    let receipt = try store.add(scan(1_400, second: 20))
    #expect(receipt.startMovedSeconds == -30 && receipt.reportedStartMove == nil)
    #expect(try store.samples(.of { $0.after = before }).count == store.samples().count)
    let known = try store.anchor()
    #expect(try store.add(scan(1_600, second: 59)).startMovedSeconds == 0)
    #expect(try store.samples(.of { $0.after = known }).count < store.samples().count)
    // Two agree against it.
    #expect(try store.add(scan(1_000, second: 0, ahead: 3_600)).startMovedSeconds == 0)
  }

  @Test("after an import is taken back the remaining scans date the wear")
  func takenBack() throws {
    _ = try store.add(scan(1_500, second: 50))
    _ = try store.beginImport(of: ["a"], at: ReadingFixture.start)
    _ = try store.add(scan(1_400, second: 20))
    _ = try store.endImport(formats: ["raw"], timeZone: nil)
    _ = try store.removeImport(1)
    #expect(seconds(try store.onlyWear().anchor.activatedAt) == 50)
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

final class ProvisionalStartTests: StoreTest {
  /// The same sensor in a file that was copied half an hour after the scan.
  private let copied = ReadingFixture().with { ($0.source, $0.clockError) = (.modificationTime, 1_800) }
  private let late = ReadingFixture.start.adding(minutes: 30)

  @Test("a modification time dates the samples and marks the wear, and the times stay provisional")
  func dates() throws {
    let receipt = try store.add(copied.scan(1_000))
    #expect(receipt.activatedAt == late && receipt.doubt == .modificationTime && receipt.disagreementSeconds == nil)
    #expect(try store.samples().allSatisfy { $0.sample.time == late.adding(minutes: $0.sample.minute.value) })
    let anchor = try store.onlyWear().anchor
    #expect(anchor.isProvisional && anchor.firmStart == nil)
    #expect(try store.doubts().values.map { $0 } == [[1: .modificationTime]])
  }

  @Test("any scan with its own time replaces it, and all samples count as changed")
  func replaced() throws {
    _ = try store.add(copied.scan(1_000))
    let anchor = try store.anchor()
    let receipt = try store.add(sensor.scan(1_005))
    #expect(receipt.activatedAt == ReadingFixture.start && receipt.doubt == nil && receipt.wear == 1)
    #expect(try store.samples(.of { $0.after = anchor }).count == store.samples().count)
    #expect(try store.doubts().isEmpty)
  }

  @Test("of two modification times that of the earlier scan is used")
  func earliest() throws {
    _ = try store.add(copied.with { $0.clockError = 7_200 }.scan(1_000))
    let receipt = try store.add(copied.scan(1_001))
    #expect(receipt.activatedAt == late && receipt.doubt == .modificationTime)
  }

  @Test("samples with provisional times are sent to sinks only after the start is known")
  func sinks() throws {
    let sink = try store.enrolled()
    _ = try store.add(copied.scan(1_000))
    try store.fillOutbox(of: sink.id, rings: [.history])
    #expect(try store.sink("site")?.queued == 0)
    _ = try store.reanchor(try store.only(), wear: 1, at: late)
    try store.fillOutbox(of: sink.id, rings: [.history])
    #expect(try store.sink("site")?.queued == 32)
    #expect(try store.onlyWear().anchor.origin == .user)
  }

  @Test("it is not used to choose the wear of a scan")
  func noProof() throws {
    // The file was copied so late that its start looks like that of the next wear. With equal starts, other counts
    // would be a conflict; here they show that it is another wear.
    _ = try store.add(copied.scan(1_000))
    let receipt = try store.add(sensor.restarted(after: 30).scan(1_000))
    #expect(receipt.isNewWear && receipt.conflicts == 0)
    #expect(try store.sensors().first?.wears.count == 2)
  }

  @Test("a merge copies a provisional start, and a known start wins in both directions")
  func merge() throws {
    let other = try folder.store("other.sqlite")
    _ = try other.add(copied.scan(1_000))
    _ = try store.merge(other)
    #expect(try store.onlyWear().anchor.isProvisional)
    let told = try folder.store("told.sqlite")
    _ = try told.add(sensor.scan(1_000))
    #expect(try told.merge(store).maximumDisagreementSeconds == 0)
    _ = try store.merge(told)
    for store in [store, told] { #expect(try store.onlyWear().anchor.firmStart == ReadingFixture.start) }
  }
}

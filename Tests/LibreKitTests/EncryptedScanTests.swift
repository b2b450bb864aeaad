// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Libre1Core
import LibreKit
import NFCTransport
import Testing

@Suite("A scan of an encrypted sensor")
struct EncryptedScanTests {
  static let products: [SimulatedSensor.Product] = [.libre2, .libreUS14Day]

  private func image(_ product: SimulatedSensor.Product, atAge age: Int) throws -> MemoryImage {
    let sensor = SimulatedSensor(seed: 11, product: product)
    let cipher = try #require(MemoryCipher(uid: sensor.uid, patchInfo: sensor.patchInfo))
    return MemoryImage(
      bytes: cipher.applied(to: sensor.memory(atAge: age)), uid: sensor.uid, patchInfo: sensor.patchInfo,
      readAt: ScanRunner.readAt)
  }

  private func integrity(_ image: MemoryImage) throws -> MemoryIntegrity {
    let (uid, patchInfo) = (try #require(image.uid), try #require(image.patchInfo))
    let cipher = try #require(MemoryCipher(uid: uid, patchInfo: patchInfo))
    let plain = cipher.applied(to: image.bytes)
    return try FRAM(plain.span).integrity
  }

  @Test("gives data of a single minute whenever the minute changes, and rereads only new records", arguments: products)
  func tick(product: SimulatedSensor.Product) async throws {
    // A record is written to each ring between these two minutes.
    let (before, after) = (try image(product, atAge: 3_992), try image(product, atAge: 3_993))
    var mended = 0
    for tick in 1...18 {
      let report = await ScanRunner.run(on: SimulatedTag { $0 < tick ? before : after })
      let verdicts = try integrity(report.image)
      let isWhole = [verdicts.header, verdicts.body, verdicts.footer].allSatisfy(\.isTrusted)
      #expect(isWhole, "tick at exchange \(tick)")
      if report.meter.exchanges > 17 { mended += 1 }
      #expect(report.meter.exchanges <= 17 + 2 + 2, "tick at exchange \(tick)")
    }
    #expect(mended > 5)
  }

  @Test(
    "finds the key in the memory if the reader cannot ask for patch info, and reads once",
    arguments: products)
  func withoutPatchInfo(product: SimulatedSensor.Product) async throws {
    let image = try image(product, atAge: 4_000)
    let reader = ListeningReader(SimulatedTag { _ in image }) { request in
      // An answer with the error "not supported".
      if case .patchInfo = request { [0x01, 0x01] } else { nil }
    }
    let report = await ScanRunner.run(on: reader)
    #expect(report.failure == nil && report.image.bytes == image.bytes && report.image.patchInfo == nil)
    #expect(report.meter.exchanges == 17)
    let reading = try DumpDecoder().decode(HexDump().file(of: report.image))
    #expect(reading.history.count == 32 && reading.samples.allSatisfy { reading.id(of: $0) != nil })
    #expect(reading.problems.contains { if case .keyRecovered = $0 { true } else { false } })
  }

  @Test("reads each section once more if the patch info gives a wrong key, and then stops")
  func wrongKey() async throws {
    let image = try #require(Scenario.named("libre2-wrong-patch-info")).image(seed: 3)
    let report = await ScanRunner.run(on: SimulatedTag { _ in image })
    #expect(report.failure == nil)
    #expect(report.image.bytes == image.bytes)
    // Noise has no valid minute, so the new records are unknown.
    #expect(report.meter.exchanges <= 17 + 1 + 2 + 13 + 1)
    // A recording without its UID has no key, and is not checked.
    let uid = try #require(SensorUID(bits: 0xE007_A400_0000_0000))
    let recorded = try self.image(.libre2, atAge: 4_000)
    let memory = ScannedMemory(bytes: recorded.bytes)
    var scan = Scan()
    let frames = try scan.drive { request in
      switch request {
      case .inventory: .inventory(uid)
      case .patchInfo: recorded.patchInfo.map { .patchInfo($0) } ?? .error(.notSupported)
      case .systemInformation, .readBlock, .readBlocks, .readWideBlock, .readWideBlocks: memory.answer(to: request)
      }
    }
    #expect(frames == Frames.whole)
  }
}

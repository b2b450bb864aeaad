// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import Meters
import NFCTransport
import TestSupport
import Testing

@testable import LibreKit

@Suite("Real memories through a bridge", .enabled(if: ReferenceDumps.areLaterPresent, "\(ReferenceDumps.absence)"))
struct BridgeVectorTests {
  private struct Vector {
    let path: String
    let image: MemoryImage
    /// The same memory in plain, for one that is encrypted.
    let plain: [UInt8]?
  }

  /// All memories of 344 bytes whose UID is known.
  private static func vectors() throws -> [Vector] {
    try ReferenceDumps.entries().compactMap { path, facts in
      let url = URL(fileURLWithPath: path)
      let bytes = [UInt8](try Data(contentsOf: url))
      guard bytes.count == 344, facts["kind"].text != "librePro", let text = facts["uid"].text,
        let uid = UInt64(text, radix: 16).flatMap({ SensorUID(bits: $0) })
      else { return nil }
      let patchInfo = facts["patchInfo"].text.flatMap { HexText.bytes(of: $0) }.flatMap { PatchInfo($0) }
      let plain = try facts["encrypted"]["decryptsTo"].text.map { twin in
        [UInt8](try Data(contentsOf: url.deletingLastPathComponent().appendingPathComponent(twin)))
      }
      return Vector(path: path, image: MemoryImage(bytes: bytes, uid: uid, patchInfo: patchInfo), plain: plain)
    }
  }

  private func scan(_ image: MemoryImage, _ language: BridgeLanguage) async throws -> ScanReport {
    let clock = SleptClock()
    let link = SimulatedBridge(language, clock: clock) { _ in image }
    let reader = try await BridgeReader.open(
      link, speaking: language, at: ReaderAddress(scheme: "bridge"), acceptsSensor: false, now: { clock.now.slept })
    return await ScanRunner.run(on: reader)
  }

  @Test("are scanned as on a reader, and decoded", arguments: BridgeLanguage.allCases)
  func all(language: BridgeLanguage) async throws {
    let vectors = try Self.vectors()
    #expect(vectors.count > 30 && vectors.contains { $0.path.hasSuffix("/bubble-test.bin") })
    for vector in vectors {
      let report = try await scan(vector.image, language)
      let direct = await ScanRunner.run(on: SimulatedTag { _ in vector.image })
      #expect(report.failure == nil && report.image == direct.image, "\(vector.path)")
    }
  }

  @Test(
    "are decrypted with the patch info or without, whatever the bridge's firmware", arguments: BridgeLanguage.allCases)
  func encrypted(language: BridgeLanguage) async throws {
    let encrypted = try Self.vectors().filter { $0.plain != nil }
    #expect(encrypted.count == 18)
    for vector in encrypted {
      let plain = try #require(vector.plain)
      var unknown = vector.image
      unknown.patchInfo = nil
      // A bridge that decrypts by itself is believed for its checksums.
      var decrypted = vector.image
      decrypted.bytes = plain
      for image in [vector.image, unknown, decrypted] {
        let report = try await scan(image, language)
        let memory = try PlainMemory(report.memory).memory.image
        #expect(memory.bytes == plain, "\(vector.path)")
        #expect(
          try report.image.reading().sensor.ageMinutes == Int(plain[316]) | Int(plain[317]) << 8, "\(vector.path)")
      }
    }
  }
}

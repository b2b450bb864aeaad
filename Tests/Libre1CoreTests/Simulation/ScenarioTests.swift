// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

struct ScenarioTests {
  static let seeds = UInt64(1)...UInt64(TestTier.rounds(3, full: 12))

  // A scenario that pins a behaviour has a dump in SensorDumps; VectorTests hold both against what it decodes to.

  @Test("each scenario decodes or is rejected as documented", arguments: Scenario.all)
  func expectation(scenario: Scenario) {
    for seed in Self.seeds {
      let error = Self.error(of: scenario.image(seed: seed))
      #expect((error == nil) == (scenario.expectation == .decodes), "seed \(seed): \(String(describing: error))")
    }
  }

  @Test("a garbled record is never taken for a torn body, whichever record it is and however the minute changes")
  func garbledRecord() throws {
    // Checksums are linear, so an empty body is enough: it covers each slot and each carry of a minute change.
    for carry in 0..<16 {
      var writer = MemoryWriter()
      writer.ageMinutes = 1 << carry
      for slot in 0..<32 {
        var bytes = writer.memory()
        bytes[124 + 6 * slot] ^= 0xA5
        bytes[125 + 6 * slot] ^= 0x5B
        #expect(!(try FRAM(bytes.span)).integrity.body.isTrusted, "slot \(slot), carry \(carry)")
      }
    }
  }

  @Test("names are unique lower-case words with dashes, and a scenario is found by its name")
  func names() {
    #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
    for scenario in Scenario.all {
      #expect(scenario.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
      #expect(Scenario.named(scenario.name)?.summary == scenario.summary)
      #expect(scenario.summary.hasSuffix("."))
    }
    #expect(Scenario.named("no-such-scenario") == nil)
  }

  @Test("the same seed gives the same image, another seed another one", arguments: Scenario.all)
  func determinism(scenario: Scenario) {
    let image = scenario.image(seed: 5)
    #expect(image == scenario.image(seed: 5))
    #expect(image.bytes == scenario.memory(seed: 5))
    let other = scenario.image(seed: 6)
    #expect(image.uid != other.uid)
    #expect(image.readAt != other.readAt)
    let isBlank = scenario.expectation == .rejected(code: "blank_memory") || scenario.name == "libre3"
    #expect((image.bytes == other.bytes) == isBlank)
  }

  @Test(
    "every image has the length of its kind, an invented UID, a patch info and a read time in 2024 or 2025",
    arguments: Scenario.all)
  func identity(scenario: Scenario) throws {
    for seed in Self.seeds {
      let image = scenario.image(seed: seed)
      if scenario.name == "pro-history" {
        #expect(image.bytes.count > 256 * 8 && image.bytes.count.isMultiple(of: 8))
      } else {
        #expect(image.bytes.count == ["pro": 176, "full-memory": 1952][scenario.name] ?? 344)
      }
      let isA4 = scenario.name.hasPrefix("libre2") || scenario.name.hasPrefix("pro")
      let start = scenario.name == "libre3" ? "E07A00FF" : isA4 ? "E007A4FF" : "E007A0FF"
      #expect(try #require(image.uid).description.hasPrefix(start))
      #expect(image.patchInfo?.bytes.count == (scenario.name == "libre3" ? 24 : 6))
      #expect((1_704_067_200..<1_767_225_600).contains(try #require(image.readAt).secondsSince1970))
    }
  }

  @Test("samples of good scenarios have quality ok and 40 to 400 mg/dL", arguments: ofLibre1Layout)
  func samples(scenario: Scenario) throws {
    // Scenarios in which all samples have one other quality, and those that cannot have values.
    let quality: SampleQuality? = ["low-signal": .lowSignal, "cold": .temperature, "freezing": .temperature][
      scenario.name]
    let isWithoutValues = [
      "freezing", "i2-zero", "i4-equals-i3", "bad-header", "bad-footer", "block-42-missing",
    ].contains(scenario.name)
    for seed in Self.seeds {
      let decoded = try Libre1Decoder.decode(Self.plain(scenario.image(seed: seed)).span)
      let samples = decoded.trend.samples + decoded.history.samples
      #expect(samples.isEmpty == (scenario.name == "not-activated"))
      for sample in samples {
        if sample.raw.hasError && (scenario.name == "rf-error" || sample.minute.value == 1) {
          #expect(sample.quality == .error)
        } else if sample.raw.isNeverWritten && scenario.name == "gaps" {
          #expect(sample.quality == .neverWritten)
        } else {
          #expect(sample.quality == quality ?? (sample.minute.value < 60 ? .warmUp : .ok))
          #expect((sample.concentration == nil) == isWithoutValues)
          if let value = sample.concentration?.milligramsPerDecilitre, quality != .lowSignal {
            #expect((40...400).contains(value), "\(sample.ring) \(sample.minute)")
          }
        }
      }
    }
  }

  static let ofLibre1Layout = Scenario.all.filter { $0.expectation == .decodes && !$0.name.hasPrefix("pro") }

  /// Returns the bytes, decrypted if necessary.
  static func plain(_ image: MemoryImage) -> [UInt8] {
    guard let uid = image.uid, let patchInfo = image.patchInfo,
      let cipher = MemoryCipher(uid: uid, patchInfo: patchInfo), CheckedMemory(image).kind == .unrecognised
    else { return image.bytes }
    return cipher.applied(to: image.bytes)
  }

  /// Returns the error of the family's decoder for an image.
  static func error(of image: MemoryImage) -> MemoryError? {
    do {
      if case .other = CheckedMemory(image).kind {
        _ = try ValidatedLibrePro(CheckedMemory(image))
      } else {
        _ = try Libre1Decoder.decode(plain(image).span)
      }
      return nil
    } catch .encryptedOrUnknown {
      guard let family = image.patchInfo?.family, family.isEncrypted else { return .encryptedOrUnknown }
      return .cannotDecrypt(family)
    } catch {
      return error
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

struct ScenarioTests {
  static let seeds = UInt64(1)...UInt64(TestTier.rounds(3, full: 12))

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

  @Test(
    "checksums are valid except in scenarios about checksums",
    arguments: ofLibre1Layout)
  func integrity(scenario: Scenario) throws {
    for seed in Self.seeds {
      let bytes = Self.plain(scenario.image(seed: seed))
      let integrity = try FRAM(bytes.span).integrity
      #expect(integrity.header.name == (scenario.name == "bad-header" ? "bad" : "ok"))
      #expect(integrity.body.name == (scenario.name == "torn" ? "torn" : "ok"))
      #expect(integrity.footer.name == (["bad-footer", "block-42-missing"].contains(scenario.name) ? "bad" : "ok"))
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

  @Test(
    "each state scenario has the state in its name",
    arguments: [
      ("not-activated", SensorState.notActivated), ("warming-up", .warmingUp), ("first-hour", .active),
      ("active", .active), ("expired", .expired), ("shutdown", .shutdown), ("failure", .failure),
      ("bad-header", .unknown(nil)), ("restarted", .active),
    ])
  func state(name: String, state: SensorState) throws {
    #expect(try Self.decoded(name, seed: 9).memory.state == state)
  }

  @Test("ages and ring minutes are the limits given in the scenario names")
  func edges() throws {
    for (name, age, trend, history, trendCount, historyCount) in [
      ("not-activated", 0, 0, 0, 0, 0), ("first-hour", 55, 54, 45, 16, 3), ("age-15", 15, 15, 0, 15, 0),
      ("age-16", 16, 16, 0, 16, 0), ("age-480", 480, 480, 465, 16, 31), ("age-495", 495, 495, 480, 16, 32),
    ] {
      let decoded = try Self.decoded(name, seed: 3)
      #expect(decoded.memory.ageMinutes == age, "\(name)")
      #expect(decoded.timeline.newestTrendMinute?.value == trend, "\(name)")
      #expect(decoded.timeline.newestHistoryMinute?.value == history, "\(name)")
      #expect(decoded.trend.count == trendCount, "\(name)")
      #expect(decoded.history.count == historyCount, "\(name)")
    }
    #expect(Scenario.named("age-16")?.memory(seed: 3)[26] == 0)
    #expect(Scenario.named("age-495")?.memory(seed: 3)[27] == 0)
  }

  @Test("a lag is in the ring index, not in the age", arguments: seeds)
  func lags(seed: UInt64) throws {
    for (name, lag) in [("active-trend-lag", 1), ("active-trend-now", 0)] {
      let decoded = try Self.decoded(name, seed: seed)
      #expect(decoded.timeline.newestTrendMinute?.value == decoded.memory.ageMinutes - lag)
    }
    let lagging = try Self.decoded("history-lag", seed: seed).timeline.newestHistoryMinute?.value
    let prompt = try Self.decoded("active-trend-lag", seed: seed).timeline.newestHistoryMinute?.value
    #expect(lagging.map { $0 + 15 } == prompt)
  }

  @Test("a sensor that ended has in its log when it left which state, and its age stays constant", arguments: seeds)
  func shutdown(seed: UInt64) throws {
    let memory = try Self.decoded("shutdown", seed: seed).memory
    let end = try #require(memory.maxLifeMinutes)
    #expect(memory.ageMinutes == end + 720)
    #expect(
      memory.endOfLife == [
        EndOfLifeEntry(leftState: .active, minute: SensorMinute(end)),
        EndOfLifeEntry(leftState: .expired, minute: SensorMinute(end + 720)),
      ])
  }

  @Test("a disturbed sensor has errors in both rings, and a history record without any counts", arguments: seeds)
  func disturbed(seed: UInt64) throws {
    let decoded = try Self.decoded("rf-error", seed: seed)
    let trend = decoded.trend.samples.filter { $0.quality == .error }
    let history = decoded.history.samples.filter { $0.quality == .error }
    #expect(trend.count >= 3)
    #expect(trend.allSatisfy { $0.raw.errors == .rfInterference && $0.raw.glucose > 0 })
    #expect(history.map(\.raw.glucose) == [0])
  }

  @Test("a young sensor has fewer history records than slots, one with gaps has all and some empty", arguments: seeds)
  func emptySlots(seed: UInt64) throws {
    let young = try Self.decoded("young", seed: seed)
    #expect((7...26).contains(young.history.count))
    #expect(young.history.samples.allSatisfy { !$0.raw.isNeverWritten })
    let gaps = try Self.decoded("gaps", seed: seed)
    #expect(gaps.history.count == 32)
    #expect((1...4).contains(gaps.history.samples.count(where: \.raw.isNeverWritten)))
    #expect(gaps.trend.samples.count(where: \.raw.isNeverWritten) == 1)
  }

  @Test("products differ in the error field of good records and in the count of initializations", arguments: seeds)
  func products(seed: UInt64) throws {
    for (name, fields, initializations, family) in [
      ("active", 0x320...0x320, 0, SensorFamily.libre1), ("libre-2014", 0x299...0x311, 0, .libre1),
      ("libre2-decrypted", 0...0, 1, .libre2), ("libre2", 0...0, 1, .libre2),
      ("us-14-day", 0x320...0x320, 0, .libreUS14Day),
    ] {
      let decoded = try Self.decoded(name, seed: seed)
      let samples = decoded.trend.samples + decoded.history.samples
      #expect(samples.allSatisfy { $0.raw.errorField.map { fields.contains(Int($0)) } == true }, "\(name)")
      #expect(decoded.memory.initializations == initializations)
      #expect(decoded.memory.footerFamily == family)
      #expect(try #require(Scenario.named(name)).image(seed: seed).patchInfo?.family == family)
    }
  }

  @Test("a Libre 3 has a patch info with all its facts, and no block", arguments: seeds)
  func libre3(seed: UInt64) throws {
    let image = try #require(Scenario.named("libre3")).image(seed: seed)
    #expect(image.missingBlocks == Array(0..<43))
    let facts = try #require(image.patchInfo.flatMap { Libre3PatchInfo($0) })
    #expect(facts.maxLifeMinutes == 21_600 && facts.state == .paired && facts.serial?.hasPrefix("0FF") == true)
    #expect(image.patchInfo.flatMap { SensorProduct($0) } == .libre3Plus)
  }

  @Test("an encrypted sensor has no valid checksum until its own key is applied", arguments: seeds)
  func encrypted(seed: UInt64) throws {
    for name in ["libre2", "us-14-day"] {
      let image = try #require(Scenario.named(name)).image(seed: seed)
      #expect(CheckedMemory(image).kind == .unrecognised)
      #expect(CheckedMemory(MemoryImage(bytes: Self.plain(image))).kind == .libre1)
    }
    let encrypted = try Self.decoded("libre2", seed: seed).memory
    let decrypted = try Self.decoded("libre2-decrypted", seed: seed).memory
    #expect(encrypted.ageMinutes == decrypted.ageMinutes)
  }

  static let ofLibre1Layout = Scenario.all.filter { $0.expectation == .decodes && !$0.name.hasPrefix("pro") }

  static func decoded(_ name: String, seed: UInt64) throws -> DecodedMemory {
    let bytes = plain(try #require(Scenario.named(name)).image(seed: seed))
    return try Libre1Decoder.decode(bytes.span)
  }

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

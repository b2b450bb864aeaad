// SPDX-License-Identifier: Apache-2.0
//
// Writes the table of cases that every way to the decoder must give the same results for, and these results, as the
// decoder of the libre command gives them.
//
//   Cases CASES RESULTS HEX-FILE… INDEX.json…
import CGMModel
import Foundation
import Libre1Core

struct Case {
  var image: MemoryImage
  var salvaging = false

  init(_ image: MemoryImage) {
    self.image = image
    // The other ways decode the first 344 bytes.
    self.image.bytes = Array(image.bytes.prefix(MemoryMap.byteCount))
    self.image.missingBlocks = image.missingBlocks.filter { $0 < MemoryMap.blockCount }
  }

  /// MEMORY UID PATCH-INFO MISSING-BLOCKS FLAGS
  var line: String {
    func hex(_ bytes: [UInt8]) -> String { bytes.isEmpty ? "-" : HexText.string(of: bytes) }
    let missing = image.missingBlocks.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
    let flags: UInt32 = salvaging ? 1 : 0
    return [
      hex(image.bytes), hex(image.uid?.bytes ?? []), hex(image.patchInfo?.bytes ?? []), HexText.string(of: missing),
      HexText.string(of: flags),
    ].joined(separator: " ")
  }

  var product: String { "product \(image.patchInfo.flatMap { SensorProduct($0) }?.name ?? "-")" }

  var results: [String] {
    let memory = image.checked()
    do throws(MemoryError) {
      if case .other(let geometry) = memory.kind { throw .unsupportedFamily(geometry.family) }
      if memory.kind == .unrecognised, SensorLayouts.layout(of: memory).geometry.family == .librePro {
        throw .unsupportedFamily(.librePro)
      }
      let reading = try memory.reading(salvaging: salvaging)
      return [Self.line(reading)] + reading.trend.map(Self.line) + reading.history.map(Self.line)
    } catch {
      let verdicts = memory.fram.integrity.verdicts.map(\.name).joined(separator: " ")
      return [
        "\(error.code) \(error.family?.rawValue ?? "unknown") \(verdicts) unknown unknown -1 -1 -1 0 - - -1 nan nan 0 0 "
          + error.message
      ]
    }
  }

  private static func line(_ reading: SensorReading) -> String {
    let (sensor, current) = (reading.sensor, reading.current)
    let flags =
      (reading.isSalvaged ? 1 : 0) + (reading.problems.contains(.historyUndated) ? 2 : 0)
      + (reading.problems.contains(.indicesMissing) ? 4 : 0)
    let recovered = reading.problems.lazy.compactMap { problem in
      if case .keyRecovered(let uid, _) = problem { uid.description } else { nil }
    }.first
    let words: [String] = [
      "ok", sensor.family.rawValue, reading.integrity.header.name, reading.integrity.body.name,
      reading.integrity.footer.name, sensor.state.name, sensor.region?.name ?? "unknown", "\(sensor.ageMinutes)",
      "\(sensor.maxLifeMinutes ?? -1)", "\(sensor.initializations ?? -1)", "\(flags)", sensor.serial ?? "-",
      recovered ?? "-", "\(current?.minute.value ?? -1)", bits(current?.concentration.milligramsPerDecilitre),
      bits(current?.ratePerMinute), "\(reading.trend.count)", "\(reading.history.count)", "-",
    ]
    return words.joined(separator: " ")
  }

  private static func line(_ sample: GlucoseSample) -> String {
    let raw = sample.raw
    let words: [String] = [
      sample.ring == .trend ? "t" : "h", "\(sample.minute)", "\(raw.glucose)", "\(raw.temperature)",
      "\(raw.temperatureAdjustment)", raw.hasError ? raw.errors.names.map { $0 + "," }.joined() : "-",
      sample.quality.rawValue, bits(sample.temperatureCelsius), bits(sample.concentration?.milligramsPerDecilitre),
      bits(sample.usableConcentration?.milligramsPerDecilitre),
    ]
    return words.joined(separator: " ")
  }

  private static func bits(_ value: Double?) -> String { value.map { HexText.string(of: $0.bitPattern) } ?? "nan" }
}

extension Case {
  /// Simulated memories of every product and scenario, with, without and with a wrong key, damaged, salvaged, cut off
  /// and with missing blocks.
  static var simulated: [Case] {
    (0..<8 as Range<UInt64>).flatMap { seed in Scenario.all.flatMap { variants(of: $0.image(seed: seed), seed: seed) } }
  }

  private static func variants(of image: MemoryImage, seed: UInt64) -> [Case] {
    let random = SplitMix64(seed: image.bytes.reduce(seed) { $0 &* 31 &+ UInt64($1) })
    let plain = Case(image)
    var keyless = plain
    (keyless.image.uid, keyless.image.patchInfo) = (random.integer(in: 0...1, at: 0) == 0 ? nil : image.uid, nil)
    var damaged = plain
    for number in 0..<random.integer(in: 1...3, at: 1) where !plain.image.bytes.isEmpty {
      let place = random.integer(in: 0...plain.image.bytes.count - 1, at: 10 + number)
      damaged.image.bytes[place] ^= UInt8(random.integer(in: 1...255, at: 20 + number))
    }
    var salvaged = damaged
    salvaged.salvaging = true
    var lacking = plain
    lacking.salvaging = random.integer(in: 0...1, at: 2) == 1
    if random.integer(in: 0...2, at: 3) == 0 {
      lacking.image.bytes.removeLast(random.integer(in: 1...lacking.image.bytes.count, at: 4))
    } else {
      let blocks = Set((0..<random.integer(in: 1...4, at: 5)).map { random.integer(in: 0...42, at: 30 + $0) })
      lacking.image.missingBlocks = blocks.sorted()
      for block in blocks {
        let bytes = (block * 8..<block * 8 + 8).clamped(to: lacking.image.bytes.indices)
        for place in bytes { lacking.image.bytes[place] = 0 }
      }
    }
    return [plain, keyless, wrong(plain, random), wrong(damaged, random.branch(1)), damaged, salvaged, lacking]
  }

  /// The memory with a wrong UID or patch info, or without one of them.
  private static func wrong(_ right: Case, _ random: SplitMix64) -> Case {
    var wrong = right
    let choice = random.integer(in: 0...3, at: 6)
    if choice == 0, let uid = wrong.image.uid {
      wrong.image.uid = SensorUID(bits: uid.bits ^ 1 << UInt64(random.integer(in: 0...47, at: 7)))
    } else if choice == 1, var info = wrong.image.patchInfo?.bytes {
      info[random.integer(in: 0...5, at: 7)] ^= UInt8(random.integer(in: 1...255, at: 8))
      wrong.image.patchInfo = PatchInfo(info)
    } else if choice == 2 {
      wrong.image.uid = nil
    } else {
      wrong.image.patchInfo = nil
    }
    return wrong
  }

  /// The memory of a hex file with its `# uid:` and `# patch-info:`; nil if it is not one.
  static func hexFile(_ path: String) throws -> Case? {
    var image = MemoryImage(bytes: [])
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("# uid: ") { image.uid = try? SensorUID(printed: String(line.dropFirst(7))) }
      if line.hasPrefix("# patch-info: ") {
        image.patchInfo = HexText.bytes(of: String(line.dropFirst(14))).flatMap { PatchInfo($0) }
      }
      if line.hasPrefix("#") { continue }
      guard let bytes = HexText.bytes(of: String(line)) else { return nil }
      image.bytes += bytes
    }
    return Case(image)
  }

  /// The memories of an index of real sensors, with and without what it says of them.
  static func indexed(_ path: String) throws -> [Case] {
    struct Index: Decodable {
      struct Vector: Decodable {
        let file: String
        let uid: String?
        let patchInfo: String?
      }
      let vectors: [Vector]
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let vectors = try JSONDecoder().decode(Index.self, from: Data(contentsOf: URL(fileURLWithPath: path))).vectors
    return try vectors.filter { $0.file.hasSuffix(".bin") }.flatMap { vector in
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(vector.file)))
      let facts = MemoryImage(
        bytes: bytes, uid: vector.uid.flatMap { try? SensorUID(printed: $0) },
        patchInfo: vector.patchInfo.flatMap { HexText.bytes(of: $0) }.flatMap { PatchInfo($0) })
      var salvaged = Case(facts)
      salvaged.salvaging = true
      return [Case(facts), Case(MemoryImage(bytes: bytes)), salvaged]
    }
  }
}

/// The words of the decoder's own values, in the order of the header's numbers.
enum Names {
  static var lines: [String] {
    let regions = (0...8 as ClosedRange<UInt8>).map { SensorRegion($0) }
    let (family, ring) = (SensorFamily.libre2, SampleRing.trend)
    let facts = KeyFacts(uid: nil, patchInfo: nil)
    let errors: [MemoryError] = [
      .wrongLength(found: 0, needed: 0), .crcMismatch(region: .body, stored: 0, computed: 1),
      .blockMissing(region: .body, blocks: BlockSet()), .undatable(blocks: BlockSet()),
      .ringIndexOutOfRange(ring: ring, index: 0, slots: 0), .blank(0), .encryptedOrUnknown,
      .encryptedWithoutUID(family), .encryptedWithoutPatchInfo(family), .unsupportedFamily(family),
      .cannotDecrypt(family), .keyDisagrees(family, given: facts, recovered: facts),
    ]
    return [
      "abi 1", line("quality", SampleQuality.allCases.map(\.rawValue)),
      line("state", (0...6 as ClosedRange<UInt8>).map { SensorState($0).name }),
      line("family", ["unknown"] + SensorFamily.allCases.filter { $0 != .unknown }.map(\.rawValue)),
      line(
        "region",
        regions.map { region in
          if case .unknown = region { "-" } else { region.name }
        }),
      line("checksum", [.ok, .torn, .bad(stored: 0, computed: 1), .absent(BlockSet())].map(\RegionVerdict.name)),
      line("measurement_error", MeasurementError.allNames),
      line("error", ["ok", "bad_argument", UIDError.notISO15693.code] + errors.map(\.code)),
    ]
  }

  /// The numbers after the last and before the first have no name.
  private static func line(_ title: String, _ names: [String]) -> String {
    ([title] + names + ["-", "-"]).joined(separator: " ")
  }
}

@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count > 2 else {
      print("usage: Cases CASES RESULTS HEX-FILE… INDEX.json…")
      exit(64)
    }
    var cases: [Case] = []
    for path in arguments.dropFirst(2) {
      cases += path.hasSuffix(".json") ? try Case.indexed(path) : [try Case.hexFile(path)].compactMap(\.self)
    }
    cases += Case.simulated
    func write(_ lines: [String], _ path: String) throws {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
    }
    try write(cases.map(\.line), arguments[1])
    try write(Names.lines + cases.flatMap { [$0.product] + $0.results }, arguments[2])
    let dumps = cases.count - Case.simulated.count
    print("\(cases.count) cases, \(dumps) of them from files")
  }
}

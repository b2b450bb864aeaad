// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Foundation
import NFCTransport
import TestSupport
import Testing

@testable import Libre1Core
@testable import LibreKit

@Suite("Memories and transcripts to give away") struct AnonymiserTests {
  private static let secret = SensorUID(bits: 0xE007_A000_C3B5_9D71)!

  private func anonymiser(_ seed: UInt64 = 1) -> Anonymiser { Anonymiser(generator: SplitMix64(seed: seed)) }

  // MARK: The same values

  /// Memories of our dumps, whole and damaged, plain and encrypted, with the facts of each.
  private static func ours() throws -> [(name: String, image: MemoryImage)] {
    try FileManager.default.contentsOfDirectory(atPath: Repository.dumps.path).sorted().compactMap { name in
      guard name.hasSuffix(".hex") else { return nil }
      let file = try Repository.bytes(at: Repository.dumps.appendingPathComponent(name))
      return (try? DumpDecoder().open(file)).flatMap { try? DumpDecoder().image(in: $0) }.map { (name, $0) }
    }
  }

  private static func encrypted() throws -> [(name: String, image: MemoryImage)] {
    try EncryptedKey.all.flatMap { key in
      try ["active", "expired", "torn", "bad-footer", "bad-body"].flatMap { name in
        let plain = try #require(Scenario.named(name)).memory(seed: 5)
        let image = MemoryImage(bytes: try key.encrypted(plain), uid: key.uid, patchInfo: key.patchInfo)
        var decrypted = image
        decrypted.bytes = plain
        return [("\(name), \(key.family)", image), ("\(name), \(key.family), plain", decrypted)]
      }
    }
  }

  private static func real() throws -> [(name: String, image: MemoryImage)] {
    try ReferenceDumps.entries().filter { $0.path.hasSuffix(".bin") }.map { path, facts in
      let image = MemoryImage(
        bytes: try Repository.bytes(at: URL(fileURLWithPath: path)),
        uid: facts["uid"].text.flatMap { try? SensorUID(printed: $0) },
        patchInfo: facts["patchInfo"].text.flatMap { HexText.bytes(of: $0) }.flatMap(PatchInfo.init))
      return (path, image)
    }
  }

  @Test("an anonymous memory decodes to the same samples, ages and errors, with another UID")
  func sameValues() throws {
    var refused: [String] = []
    let all = try Self.ours() + Self.encrypted() + Self.real()
    for (name, image) in all {
      var anonymiser = anonymiser()
      guard let made = try? anonymiser.anonymous(image) else {
        refused.append(name)
        // No checksum of it is right, so that no sample of it can be decoded either.
        #expect(throws: LibreError.self, "\(name)") { try image.reading() }
        continue
      }
      #expect((made.uid == nil) == (image.uid == nil) && (made.uid != image.uid || image.uid == nil), "\(name)")
      let patchInfo = image.patchInfo.flatMap { PatchInfo(PatchInfo.withoutSerial($0.bytes)) }
      #expect(made.patchInfo == patchInfo && made.readAt == nil, "\(name)")
      #expect(made.missingBlocks == image.missingBlocks, "\(name)")
      for salvage in [false, true] { expectSame(image, made, salvage: salvage, name) }
      // Only the bytes of an encrypted memory depend on the UID.
      let memory = CheckedMemory(image)
      let isPro = SensorLayouts.layout(of: memory).geometry == LibreProMap.geometry
      #expect(isPro || image.bytes.starts(with: made.bytes) == (memory.kind != .unrecognised), "\(name)")
    }
    let ownRefused = refused.filter { !$0.hasPrefix("/") }
    #expect(
      ownRefused == ["x-encrypted-look.hex", "x-libre2-wrong-patch-info.hex"], "\(ownRefused)")
    #expect(all.count - refused.count > all.count * 9 / 10, "\(refused)")
  }

  private func expectSame(_ image: MemoryImage, _ made: MemoryImage, salvage: Bool, _ name: String) {
    var image = image
    image.readAt = nil
    let results = [image, made].map { image in Result { try image.reading(salvage: salvage) } }
    guard case .success(let before) = results[0], case .success(let after) = results[1] else {
      let errors = results.map { result in
        if case .failure(let error) = result { (error as? LibreError)?.message ?? "\(error)" } else { "none" }
      }
      #expect(errors[0] == errors[1], "\(name)")
      return
    }
    #expect(before.history == after.history && before.trend == after.trend, "\(name)")
    #expect(before.current == after.current && before.calibration == after.calibration, "\(name)")
    #expect(before.integrity == after.integrity && before.footer == after.footer, "\(name)")
    var sensor = before.sensor
    sensor.identity = after.sensor.identity
    #expect(sensor == after.sensor, "\(name)")
    #expect(before.sensor.family == after.sensor.family, "\(name)")
    #expect(before.sensor.fingerprint == after.sensor.fingerprint, "\(name)")
    #expect(before.sensor.serial == nil || before.sensor.serial != after.sensor.serial, "\(name)")
    func others(_ problems: [ReadingProblem]) -> [ReadingProblem] {
      problems.filter { if case .keyRecovered = $0 { false } else { true } }
    }
    #expect(others(before.problems) == others(after.problems), "\(name)")
    #expect(before.problems.count == after.problems.count, "\(name)")
  }

  @Test("a memory without its key in the file is encrypted anew with the key of an invented UID")
  func recoveredKey() throws {
    for key in EncryptedKey.all {
      let plain = try #require(Scenario.named("active")).memory(seed: 5)
      let image = MemoryImage(bytes: try key.encrypted(plain))
      var anonymiser = anonymiser()
      let made = try anonymiser.anonymous(image)
      let recovered = try #require(RecoveredKey(made))
      #expect(recovered.uid != key.uid && recovered.family == key.family && made.uid == nil)
      #expect(try made.reading().memory.bytes == plain)
      // The same sensor, now with its UID.
      let known = try anonymiser.anonymous(MemoryImage(bytes: plain, uid: key.uid))
      #expect(known.uid == recovered.uid)
    }
  }

  // MARK: What an adversary looks for

  private func expectAbsence(of uid: SensorUID, in file: [UInt8], _ name: String) {
    // The upper half only tells the kind of sensor.
    for number in [Array(uid.bytes.suffix(4)), uid.bytes.suffix(4).reversed()] {
      #expect(!file.contains(number), "\(name): raw")
      let letters = file.filter { $0 & 0xDF >= 0x41 && $0 & 0xDF <= 0x5A || $0 >= 0x30 && $0 <= 0x39 }
      let text = String(decoding: letters, as: UTF8.self)
      #expect(!text.uppercased().contains(HexText.string(of: number)), "\(name): hex")
      for padding in 0..<3 {
        let base64 = Data(Array(repeating: 0, count: padding) + number).base64EncodedString()
        let core = base64.dropFirst([0, 2, 3][padding]).prefix(padding == 2 ? 5 : 4)
        #expect(!text.contains(core), "\(name): base64 \(core)")
      }
    }
    for family in [SensorFamily.libre1, .libre2] {
      let serial = SerialNumber.text(for: uid, family: family)?.dropFirst(5)
      #expect(!String(decoding: file, as: UTF8.self).contains(serial ?? "?"), "\(name): serial number")
    }
  }

  @Test(
    "no format that is written has the old UID, serial number or time, nor does the key of an encrypted memory",
    arguments: Catalogue.standard.dumpWriters.map(\.name))
  func absence(format: String) throws {
    let writer = try #require(DumpEncoder.writer(named: format))
    for (name, original) in try Self.ours() + Self.encrypted() {
      var image = original
      image.uid = image.uid ?? Self.secret
      image.readAt = Instant(secondsSince1970: 1_714_640_467)
      var anonymiser = anonymiser(9)
      guard let made = try? anonymiser.anonymous(image), let uid = image.uid,
        let file = try? DumpEncoder.file(of: made, as: writer)
      else { continue }
      expectAbsence(of: uid, in: file, "\(name) as \(format)")
      #expect(!String(decoding: file, as: UTF8.self).contains("2024-05-02"), "\(name)")
      for block in 0..<made.bytes.count / 8 {
        let words = KeyWords(ofZeros: made.bytes[block * 8..<block * 8 + 8].span, block: block)
        #expect(words.map { $0.low } != UInt16(truncatingIfNeeded: uid.bits), "\(name), block \(block)")
      }
    }
  }

  @Test("a sensor has one new UID within a run, and another in the next; families and order stay clear")
  func uids() throws {
    var (first, second) = (anonymiser(1), Anonymiser())
    func uid(_ bits: UInt64, _ anonymiser: inout Anonymiser) throws -> SensorUID {
      let memory = try #require(Scenario.named("active")).memory(seed: 2)
      return try #require(try anonymiser.anonymous(MemoryImage(bytes: memory, uid: SensorUID(bits: bits))).uid)
    }
    let one = try uid(Self.secret.bits, &first)
    #expect(try uid(Self.secret.bits, &first) == one)
    #expect(try uid(Self.secret.bits, &second) != one)
    var found: Set<SensorUID> = []
    for number in 1...500 as ClosedRange<UInt64> {
      let old = 0xE07A_A455_0000_0000 | number &* 0x0101_0107
      let new = try uid(old, &first)
      #expect(new.bits >> 32 == 0xE07A_A400 && new.bytes[7] != 0xE0 && !new.isWithheld && new.bits != old)
      found.insert(new)
    }
    #expect(found.count == 500)
    #expect(try uid(0xE007_A000_0000_0003, &first).bits == 0xE007_A000_0000_0003, "it was withheld before")
    #expect(try uid(0xE007_A0FF_7FC8_7089, &first).bits >> 32 == 0xE007_A0FF, "of a simulated sensor")
  }

  @Test("what is behind the data, a Libre 3's serial number and the reader of a Libre Pro are left out")
  func otherNames() throws {
    var anonymiser = anonymiser()
    let memory = try #require(Scenario.named("active")).memory(seed: 2)
    var long = Array(0x80..<0x98 as Range<UInt8>)
    long[12] = 4
    let longer = try anonymiser.anonymous(
      MemoryImage(bytes: memory + Array("Anna's.".utf8) + [7], patchInfo: PatchInfo(long)))
    #expect(longer.bytes == memory)
    #expect(longer.patchInfo?.bytes == long.prefix(15) + Array(repeating: 0, count: 9))
    let full = try #require(Scenario.named("full-memory")).image(seed: 2)
    #expect(try anonymiser.anonymous(full).bytes == full.bytes, "all sensors have this program")

    var pro = try #require(Scenario.named("pro")).image(seed: 2)
    pro.bytes.replaceSubrange(24..<40, with: Array("JXYZ168-T02683_#".utf8))
    for damage in [0, 0x40] as [UInt8] {
      pro.bytes.seal(0..<40)
      pro.bytes[20] ^= damage
      let made = try anonymiser.anonymous(pro)
      #expect(Array(made.bytes[24..<40]) == Array("AAAA000-A00000".utf8) + [0, 0])
      #expect(made.bytes[40...] == pro.bytes[40...] && made.bytes[2..<24] == pro.bytes[2..<24])
      let checks = [pro, made].map { LibreProMap.header.checksums(in: $0.bytes.span) }
      #expect(checks[0].stored ^ checks[0].computed == checks[1].stored ^ checks[1].computed)
      #expect((checks[1].stored == checks[1].computed) == (damage == 0))
    }
  }

  // MARK: Transcripts

  private static func transcript(_ address: String) async throws -> [String] {
    let (lines, recording) = AsyncStream.makeStream(of: String.self)
    var reader = try SensorReader(at: address)
    reader.trace = .init(showsIdentifiers: true) { recording.yield($0) }
    _ = try? await reader.read()
    recording.finish()
    return await lines.reduce(into: []) { $0.append($1) }
  }

  private func made(_ lines: [String]) throws -> (lines: [String], remarks: [String]) {
    let directory = try TemporaryDirectory()
    var anonymiser = anonymiser(3)
    let file = try anonymiser.transcript(
      contentsOf: try directory.write(lines.map { $0 + "\n" }.joined(), to: "a.trace"))
    let text = String(decoding: file, as: UTF8.self)
    return (text.split(separator: "\n").map(String.init), anonymiser.remarks)
  }

  private func images(_ lines: [String]) throws -> [MemoryImage] {
    try TraceDump().dumps(in: DumpFile(Array(lines.joined(separator: "\n").utf8))).map { try $0.get().image }
  }

  @Test(
    "an anonymous transcript has the same exchanges, and its memories decode to the same values",
    arguments: ["sim:active:5", "sim:libre2:5", "sim:us-14-day:5", "sim:pro:5", "sim:torn:5", "sim:bad-footer:5"])
  func conversation(address: String) async throws {
    let lines = try await Self.transcript(address)
    let (made, remarks) = try made(lines)
    #expect(remarks.count == 1)
    let (before, after) = (try images(lines), try images(made))
    #expect(before.count == 1 && after.count == 1)
    for (image, new) in zip(before, after) {
      let uid = try #require(image.uid)
      #expect(new.uid != nil && new.uid != uid && new.readAt == nil)
      expectAbsence(of: uid, in: Array(made.joined(separator: "\n").utf8), address)
      for salvage in [false, true] { expectSame(image, new, salvage: salvage, address) }
    }
    func shape(_ lines: [String]) -> [String] {
      lines.filter { $0.contains(" -> ") || $0 == "# tap" }.map { $0.components(separatedBy: " -> ") }.map { parts in
        parts.count < 2 ? parts[0] : "\(parts[0]) \(parts[1].count)"
      }
    }
    #expect(shape(made) == shape(lines))
    #expect(made.contains("# reader: sim") && made.contains("# read-at: unknown"))
  }

  @Test("our recordings, without UIDs, stay as they are but for time and comments")
  func recordings() throws {
    for name in RecordedTraceTests.names {
      let lines = try RecordedTraceTests.text(of: name).split(separator: "\n").map(String.init)
      let isKept = { (line: String) in !line.hasPrefix("#") || line == "# tap" }
      #expect(try made(lines).lines.filter(isKept) == lines.filter(isKept), "\(name)")
    }
  }

  @Test("scans of one transcript stay apart, and the same sensor is the same in all of them")
  func scans() throws {
    let block = "02 20 03 -> 00 11 11 11 11 11 11 11 11"
    let tap = { (last: String) in
      [
        "# tap", "26 01 00 -> 00 00 \(last) 9D B5 C3 00 A0 07 E0", block, "02 20 04 -> lost",
        "# read-at: 2024-05-02T10:15:00Z",
      ]
    }
    let lines = ["# libre-trace: 1"] + tap("71") + tap("71") + tap("72")
    let (made, remarks) = try made(lines)
    let uids = try images(made).map(\.uid)
    #expect(try images(lines).count == 3 && uids.count == 3)
    #expect(uids[0] == uids[1] && uids[1] != uids[2] && uids[0] != nil)
    // No checksum proves that these bytes are not encrypted.
    #expect(made.count { $0 == "02 20 03 -> 00 00 00 00 00 00 00 00 00" } == 3)
    #expect(remarks.count == 2 && remarks[1].contains("3 of the scans"))
  }

  @Test("nothing of a transcript is carried over that libre does not know, wherever it stands")
  func foreignText() throws {
    let low = "71 9D B5 C3 00 A0 07 E0"
    let lines = [
      "# libre-trace: 1", "# tool: anna 1.0", "# Anna's sensor E007A000C3B59D71", "# reader: replay:/home/anna/a.trace",
      "# name: Flipper Anna (\(low))", "# dialect: anna", "# tap", "26 01 00 -> 00 00 \(low)",
      "02 2B -> 00 0F \(low) 00 00 2A 07 00", "26 01 00 -> 00 00 \(low) 33 44", "26 01 00 -> 01 \(low)",
      "22 20 \(low) 04 -> 00 33 33 33 33 33 33 33 33", "02 A1 07 -> 00 \(low)", "02 20 03 -> 00 \(low)",
      "02 20 04 -> 00 \(low) 11", "02 20 05 -> silent", "02 A1 07 -> 00 DF 00 00 08 A5 D6",
      "# read-at: 2024-05-02T10:15:00Z",
    ]
    let made = try made(lines).lines
    let all = made.joined(separator: "\n")
    expectAbsence(of: Self.secret, in: Array(all.utf8), "trace")
    for word in ["anna", "Anna", "2024", "home"] { #expect(!all.contains(word), "\(word)") }
    #expect(made.contains("# name: Flipper Zero") && made.contains("# reader: replay"))
    #expect(made.contains("02 20 05 -> silent") && made.contains("02 A1 07 -> 00 DF 00 00 08 A5 D6"))
    #expect(made.contains("02 20 04 -> 00 00 00 00 00 00 00 00 00 00"))
    #expect(throws: LibreError.self) { try self.made(["26 01 00 -> 00"]) }
  }
}

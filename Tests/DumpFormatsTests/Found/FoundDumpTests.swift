// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

@testable import DumpFormats

@Suite("Memories found anywhere")
struct FoundDumpTests {
  private static let formats = ForeignDumps.files

  private static func memory(_ scenario: String, seed: UInt64 = 1) throws -> [UInt8] {
    try #require(Scenario.named(scenario)).memory(seed: seed)
  }

  private func found(_ file: [UInt8]) -> [Dump] {
    guard let dumps = try? FoundDump().dumps(in: DumpFile(file)) else { return [] }
    return dumps.compactMap { try? $0.get() }
  }

  // MARK: Containers

  @Test("a memory in any container is found whole, and nothing else is", arguments: FoundContainer.all)
  func containers(container: FoundContainer) throws {
    // The first two bytes of the last one are 0M: numbers behind them could be their text.
    for (scenario, seed) in [
      ("active", 1), ("shutdown", 2), ("young", 3), ("libre2-decrypted", 4), ("active", 13),
    ] as [(String, UInt64)] {
      let memory = try Self.memory(scenario, seed: seed)
      let found = found(container.file(memory))
      #expect(found.map(\.image.bytes) == [memory], "\(scenario): \(found.map { $0.label ?? "" })")
    }
  }

  @Test("detection reads the memory in any container, by a format or by the search", arguments: FoundContainer.all)
  func detection(container: FoundContainer) throws {
    let memory = try Self.memory("active")
    let (_, dumps) = try DumpDetector(formats: Self.formats).detect(DumpFile(container.file(memory)))
    #expect(try DumpChoice.only.dump(in: dumps).dump.image.bytes.prefix(344).elementsEqual(memory))
  }

  @Test("one changed bit gives no other memory", arguments: FoundContainer.all)
  func flippedBit(container: FoundContainer) throws {
    let memory = try Self.memory("active")
    for offset in stride(from: 0, to: 344, by: 67) {
      var changed = memory
      changed[offset] ^= 0x10
      for dump in found(container.file(changed)) {
        // A damaged footer is named by its checksum; the samples before it are those of the sensor.
        #expect(dump.image.bytes[..<320].elementsEqual(memory[..<320]))
        #expect(offset >= 320 && !dump.memory.integrity.footer.isTrusted, "byte \(offset)")
      }
    }
  }

  @Test("a memory at a random place of a random file is found", arguments: 0..<60)
  func randomPlace(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let memory = try Self.memory("active", seed: UInt64(seed))
    let container = FoundContainer.all[random.number(0...FoundContainer.all.count - 1)]
    let file = container.file(memory)
    // Bytes before a text in UTF-16 or an archive would make another file of it, and only text loses its colours.
    let isAtStart =
      container.testDescription.hasSuffix("ZIP")
      || FoundContainer.binary.dropFirst().contains { $0.testDescription == container.testDescription }
    let isText = container.testDescription == "coloured terminal"
    let prose = Array(FoundContainer.prose.utf8)
    let before = isAtStart ? [] : isText ? prose : prose + random.bytes(random.number(0...4_000)) + [0x0A]
    let after = isText ? prose : [0x0A] + random.bytes(random.number(0...4_000))
    #expect(
      found(before + file + after).map { Array($0.image.bytes.prefix(320)) } == [Array(memory[..<320])], "\(container)")
  }

  @Test("a zero before numbers with indices is not their first index")
  func zeroBefore() throws {
    let memory = try Self.memory("active")
    let list = FoundContainer.rows(memory, 1) { "  fram[\($0)] = \($1[0]);" }
    for before in ["0\n", "3 0 0\n", "version 1.0, 0 errors\n"] {
      #expect(found(Array((before + list).utf8)).map(\.image.bytes) == [memory])
    }
  }

  @Test("a number is not the text of those before it because the first one is its character")
  func numberLikeText() throws {
    let memory = try Self.memory("active", seed: 43)
    // The digit 0, and then nothing that could be seen in a text.
    try #require(memory[0] == UInt8(ascii: "0") && !memory[1..<8].contains { (0x21...0x7E).contains($0) })
    let listing = FoundContainer.rows(memory, 8) { "\($0):" + $1.map { "   \($0)" }.joined() }
    #expect(found(Array(listing.utf8)).map(\.image.bytes) == [memory])
  }

  // MARK: Several memories

  @Test("several memories are found in the order of the file, each once")
  func several() throws {
    let memories = try (1...3).map { try Self.memory("active", seed: $0) }
    let zeros = [UInt8](repeating: 0, count: 16)
    // The same bytes twice are one memory.
    let lines = memories.map { "scan: \(FoundContainer.base64($0)), \(FoundContainer.hex($0))\n" }.joined()
    let listings = memories.map { FoundContainer.rows($0, 8) { "\($0) = \(FoundContainer.hex($1))" } }.joined()
    for file in [Array(memories.joined(separator: zeros)), Array(lines.utf8), Array(listings.utf8)] {
      #expect(found(file).map(\.image.bytes) == memories)
    }
  }

  @Test("all blocks that a sensor has belong to the memory, as far as their checksums are right")
  func fullMemory() throws {
    let memory = try Self.memory("full-memory")
    var other = memory
    other[1_000] ^= 1
    let pro = try Self.memory("pro")
    let listing = FoundContainer.prose + FoundContainer.rows(pro, 16) { "\($0): \(FoundContainer.hex($1))" }
    for (file, expected) in [
      ([1, 2, 3] + memory + [4, 5], memory), ([1, 2, 3] + other + [4, 5], Array(memory[..<344])),
      (Array(listing.utf8), Array(pro[..<176])),
    ] {
      #expect(found(file).map(\.image.bytes) == [expected])
    }
  }

  @Test("the history of a Libre Pro, which has no checksum, is taken only where nothing else can be")
  func libreProHistory() throws {
    let memory = try Self.memory("pro-history")
    let part = Array(memory[..<176])
    let json = "{\"fram\":\"\(FoundContainer.base64(memory))\"}"
    for file in [
      FoundContainer.zipEntry("a", memory), Array(json.utf8), [0x78, 0x01] + FoundContainer.deflated(memory),
    ] {
      #expect(found(file).map(\.image.bytes) == [memory], "once, with its history")
    }
    let history = LibreProMap.historyBlocks(count: Int(memory[78]) | Int(memory[79]) << 8).upperBound * 8
    #expect(history > 176 && history <= memory.count)
    for other in [
      memory + [1], [1] + memory, Array(memory[..<(history - 8)]), memory[..<history] + (try Self.memory("active")),
      part,
    ] {
      #expect(found(FoundContainer.zipEntry("a", other)).first?.image.bytes == part)
    }
    #expect(
      found(FoundContainer.zipEntry("a", Array(memory[..<history]))).map(\.image.bytes) == [Array(memory[..<history])])
  }

  /// An encrypted memory of a product, with a UID like those of its sensors.
  private static func encrypted(_ product: EncryptedProduct, seed: UInt64) throws -> [UInt8] {
    let (uid, patchInfo): (UInt64, [UInt8]) =
      switch product {
      case .libre2: (0xE007_A400_0025_905E, [0x9D, 0x08, 0x30, 0x01, 0x13, 0x09])
      case .us14Day: (0xE007_A000_0025_905E, [0xE5, 0x00, 0x03, 0x00, 0x52, 0x41])
      }
    let cipher = MemoryCipher(
      uid: try #require(SensorUID(bits: uid)), patchInfo: try #require(PatchInfo(patchInfo)))
    return try #require(cipher).applied(to: try memory("active", seed: seed))
  }

  enum EncryptedProduct: CaseIterable { case libre2, us14Day }

  @Test(
    "an encrypted memory is found by the key that its own bytes give, and one with a changed bit is not",
    arguments: EncryptedProduct.allCases)
  func encrypted(product: EncryptedProduct) throws {
    for (seed, layer) in [(1, "bytes"), (2, "base64"), (3, "hex")] as [(UInt64, String)] {
      var memory = try Self.encrypted(product, seed: seed)
      func file() -> [UInt8] {
        switch layer {
        case "bytes": [UInt8](repeating: 7, count: 2_000) + memory + [4, 5]
        case "base64": Array("{\"raw\":\"\(FoundContainer.base64(memory))\"}\n".utf8)
        default: Array(FoundContainer.rows(memory, 8) { "2026 I/NFC \($0): \(FoundContainer.hex($1))" }.utf8)
        }
      }
      let (format, dumps) = try DumpDetector(formats: Self.formats).detect(DumpFile(file()))
      #expect(format == "found" && dumps.compactMap { try? $0.get().image.bytes } == [memory], "\(layer)")
      memory[Int(seed) * 100] ^= 4
      #expect(found(file()).isEmpty)
    }
    let (format, _) = try DumpDetector(formats: Self.formats).detect(DumpFile(try Self.encrypted(product, seed: 1)))
    #expect(format == "raw", "what a format reads stays as it was")
  }

  // MARK: Damage

  @Test("blocks that a listing lacks are named and stay missing")
  func gaps() throws {
    let memory = try Self.memory("active")
    func listing(without missing: Set<Int>) -> [UInt8] {
      let lines = FoundContainer.rows(memory, 8) { "blk \($0) = \(FoundContainer.hex($1))" }.split(separator: "\n")
      return Array(lines.indices.filter { !missing.contains($0) }.map { lines[$0] + "\n" }.joined().utf8)
    }
    for missing in [[12, 13], [4], [39], [3, 20, 38]] {
      #expect(found(listing(without: Set(missing))).map(\.image.missingBlocks) == [missing])
    }
    // A memory has a header, and a body or a footer that proves it.
    #expect(found(listing(without: [1])).isEmpty)
    #expect(found(listing(without: [12, 41])).isEmpty)
  }

  @Test("a block with two contents is an error that names both lines")
  func contradiction() throws {
    let memory = try Self.memory("active")
    let text =
      FoundContainer.rows(memory, 8) { "blk \($0) = \(FoundContainer.hex($1))" } + "blk 9 = 00 11 22 33 44 55 66 77\n"
    let results = Array(try FoundDump().dumps(in: DumpFile(Array(text.utf8))))
    #expect(results == [.failure(.conflictingBlocks(block: 9, lines: [10, 44]))])
  }

  @Test("the error of a format that names the damage stays, unless the search finds a memory without damage")
  func namedDamage() throws {
    let memory = try Self.memory("active")
    let lines = FoundContainer.rows(memory, 8) { FoundContainer.hex($1) }
    let typo = Array((String(lines.dropLast(3)) + "OO\n").utf8)
    let detector = DumpDetector(formats: Self.formats)
    #expect(throws: DumpError.self) { try detector.detect(DumpFile(typo)) }
    #expect(throws: DumpError.wrongLength(found: 345)) { try detector.detect(DumpFile(memory + [0])) }
    #expect(try detector.detect(DumpFile(Array(repeating: 9, count: 99) + memory)).format == "found")
  }

  // MARK: Places

  @Test("the place is said in lines, or in bytes for a file without lines")
  func places() throws {
    let memory = try Self.memory("active")
    let prose = FoundContainer.prose
    let listing = prose + FoundContainer.rows(memory, 8) { "n \($0) = \(FoundContainer.hex($1))" } + prose
    let inLines = try #require(found(Array(listing.utf8)).first)
    #expect(inLines.found == FoundPlace(layer: "hex", unit: .line, range: 3...45))
    #expect(inLines.line == 3)
    #expect(inLines.label == "hex in lines 3–45")
    let base64 = String(repeating: "-", count: 10_422) + " \(FoundContainer.base64(memory))"
    #expect(found(Array(base64.utf8)).first?.label == "base64 at byte 10,423")
    #expect(found([1, 2, 3] + memory).first?.found == FoundPlace(layer: "bytes", unit: .byte, range: 3...346))
    #expect(found(FoundContainer.zipEntry("a", memory)).first?.label == "zip at byte 0")
    #expect(found([1] + FoundContainer.zipEntry("a", memory)).isEmpty, "it does not begin like an archive")
  }

  @Test("the UID and the patch info of a log belong to its only memory")
  func facts() throws {
    let memory = try Self.memory("active")
    let log = "05-02 UID: E007A0000025905E\n05-02 D/X: \(FoundContainer.base64(memory))\n"
    #expect(found(Array(log.utf8)).map(\.image.uid) == [SensorUID(bits: 0xE007_A000_0025_905E)])
    let other = try Self.memory("active", seed: 2)
    #expect(found(Array((log + FoundContainer.base64(other)).utf8)).map(\.image.uid) == [nil, nil])
  }

  // MARK: Nothing that is not there

  @Test("random bytes and digits have no memory", arguments: 0..<6)
  func random(form: Int) {
    var random = SplitMix64(seed: UInt64(form))
    let bytes = random.bytes(1 << 18)
    let file: [UInt8] =
      switch form {
      case 0: bytes
      case 1: Array(FoundContainer.hex(bytes, "").utf8)
      case 2: Array(FoundContainer.rows(bytes, 16) { "\($0): \(FoundContainer.hex($1))" }.utf8)
      case 3: Array(FoundContainer.wrapped(FoundContainer.base64(bytes), 76).utf8)
      case 4: Array(FoundContainer.decimal(bytes).utf8)
      default: bytes.map { $0 & 3 }
      }
    #expect(found(file).isEmpty)
  }

  @Test("a file without a memory is read, or refused, as without the search")
  func nothing() throws {
    func outcome(_ file: DumpFile, _ formats: [any DumpFormat]) -> String {
      do { return try DumpDetector(formats: formats).detect(file).format } catch { return "\(error)" }
    }
    for text in [
      FoundContainer.prose, "{\"a\":[1,2,3]}", "58 CF 1F", "PK\u{3}\u{4}", String(repeating: "00 ", count: 400),
    ] {
      let file = DumpFile(Array(text.utf8))
      #expect(outcome(file, Self.formats) == outcome(file, Self.formats.filter { !$0.isLastResort }))
      #expect(throws: DumpError.notThisFormat(lacks: "a memory with correct checksums anywhere in the file")) {
        try FoundDump().dumps(in: file)
      }
    }
    #expect(throws: DumpError.empty) { try FoundDump().dumps(in: DumpFile([])) }
  }

  @Test("headers without a body are no memories, and an archive is unpacked up to a limit")
  func hostile() throws {
    let memory = try Self.memory("active")
    let headers = Array(repeatElement(memory[..<24], count: 4_000).joined())
    #expect(found(headers).isEmpty)
    // Every block gives the key of a header, for which 65,536 bodies could be tried.
    let zeros = try Self.encrypted(.us14Day, seed: 1)[16..<24]
    #expect(found(Array(repeatElement(zeros, count: 200).joined())).isEmpty)
    let entries = (0..<20).flatMap { FoundContainer.zipEntry("\($0)", [UInt8](repeating: 0, count: 10_000)) }
    for (limit, count) in [(200_000, 0), (400_000, 1)] {
      var (search, budget) = (FileSearch(entries + FoundContainer.zipEntry("last", memory)), limit)
      search.run(&budget)
      #expect(search.found.all.count == count)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

struct DumpDetectorTests {
  private let detector = DumpDetector(formats: [HexDump(), RawDump()])
  private let sound = MemoryBuilder.pattern().bytes

  /// Reads a memory with one valid checksum.
  private var one: StubFormat { StubFormat("one", bytes: Array(sound[..<24] + sound[24...].map { ~$0 })) }

  private func format(of file: [UInt8], among formats: [any DumpFormat]) throws -> String {
    try DumpDetector(formats: formats).parse(file).format
  }

  @Test("distinguishes text from binary data")
  func textOrBytes() throws {
    let raw = try detector.parse(sound)
    #expect(raw.format == "raw")
    #expect(raw.image.bytes == sound)
    let hex = try detector.parse(Array(HexDump.text(of: MemoryImage(bytes: sound), notes: []).utf8))
    #expect(hex.format == "hex")
    #expect(hex.image.bytes == sound)
  }

  @Test("chooses the reading with more valid checksums, of any layout, in any order of the formats")
  func checksumsDecide() throws {
    let none = StubFormat("none", bytes: Array(sound.reversed()))
    let all = StubFormat("all", bytes: sound)
    #expect(try format(of: [1], among: [none, one, all]) == "all")
    #expect(try format(of: [1], among: [all, one, none]) == "all")
    #expect(try format(of: [1], among: [one, none]) == "one")
    #expect(try format(of: [1], among: [none, one]) == "one")
    let pro = StubFormat("pro", bytes: MemoryBuilder.pattern(count: 176, layout: .pro).bytes)
    #expect(try format(of: [1], among: [one, pro]) == "pro")
  }

  @Test("counts a body as valid if the minute changed during the read")
  func tornBody() throws {
    var later = sound
    later[316] += 1
    #expect(later[316] != 0)
    let torn = StubFormat("torn", bytes: later)
    var flipped = sound
    flipped[200] ^= 1
    #expect(try format(of: [1], among: [StubFormat("bad", bytes: flipped), torn]) == "torn")
  }

  @Test("does not choose between two readings with equally many valid checksums")
  func ambiguous() {
    var other = MemoryBuilder.pattern()
    other.bytes[100] = 0xEE
    other.seal([.body])
    let formats = [
      StubFormat("first", bytes: sound), StubFormat("poor", bytes: [1, 2, 3]), StubFormat("second", bytes: other.bytes),
    ]
    #expect(throws: DumpError.ambiguousFormat(["first", "second"])) {
      try DumpDetector(formats: formats).parse([1])
    }
    #expect(throws: DumpError.ambiguousFormat(["second", "first"])) {
      try DumpDetector(formats: formats.reversed()).parse([1])
    }
  }

  @Test("names the first of two formats that read the same memory, even if their facts differ")
  func sameMemory() throws {
    let uid = SensorUID(bits: 0xE007_A000_0025_905E)
    let knows = StubFormat("knows", finds: [.success(Dump(image: MemoryImage(bytes: sound, uid: uid)))])
    let bare = StubFormat("bare", bytes: sound)
    #expect(try DumpDetector(formats: [knows, bare]).parse([1]) == (MemoryImage(bytes: sound, uid: uid), "knows"))
    #expect(try DumpDetector(formats: [bare, knows]).parse([1]) == (MemoryImage(bytes: sound), "bare"))
  }

  @Test("rates a format by the best of its memories, including the 64th")
  func bestOfSeveral() throws {
    let poor = DumpSequence.Element.success(Dump(image: MemoryImage(bytes: [9])))
    let late = StubFormat(
      "late", finds: Array(repeating: poor, count: 63) + [.success(Dump(image: .init(bytes: sound)))])
    let (format, dumps) = try DumpDetector(formats: [one, late]).detect(DumpFile([1]))
    #expect(format == "late")
    #expect(Array(dumps).count == 64, "those that were looked at are among them")
  }

  @Test("stops reading a file of many memories as soon as the format is known")
  func lazily() throws {
    let endless = EndlessFormat(image: MemoryImage(bytes: sound))
    var (format, dumps) = try DumpDetector(formats: [endless]).detect(DumpFile([1]))
    #expect(format == "endless")
    for number in 1...1_000 { #expect(try dumps.next()?.get().line == number) }
  }

  @Test("reports the damage of a memory rather than another format's reading without valid checksums")
  func damage() throws {
    let conflict = DumpError.conflictingBlocks(block: 3, lines: [4, 9])
    let damaged = StubFormat("damaged", finds: [.failure(conflict)])
    let junk = StubFormat("junk", bytes: [1, 2, 3])
    #expect(throws: conflict) { try DumpDetector(formats: [damaged, junk]).parse([1]) }
    #expect(try format(of: [1], among: [StubFormat("none", finds: []), junk]) == "junk", "nothing in it is no damage")
    #expect(try format(of: [1], among: [damaged, StubFormat("sound", bytes: sound)]) == "sound")
    let mixed = StubFormat("mixed", finds: [.failure(conflict), .success(Dump(image: MemoryImage(bytes: sound)))])
    #expect(try DumpDetector(formats: [junk, mixed]).detect(DumpFile([1])).format == "mixed")
  }

  @Test("reports a file with a valid format but without a memory")
  func noMemory() {
    let bare = StubFormat("bare", finds: [])
    #expect(throws: DumpError.noMemory) { try DumpDetector(formats: [bare]).parse([1]) }
    #expect(throws: DumpError.noMemory) { try DumpDetector(formats: [bare]).parse([1], as: "bare") }
  }

  @Test("chooses the first matching format if no checksum is valid in any of them")
  func noChecksums() throws {
    let first = StubFormat("first", bytes: Array(repeating: 1, count: 344))
    let second = StubFormat("second", bytes: Array(repeating: 2, count: 344))
    #expect(try format(of: [1], among: [first, second]) == "first")
    #expect(try format(of: [1], among: [second, first]) == "second")
  }

  @Test("reports the reason of each format if none matches")
  func unknown() throws {
    let formats = [
      StubFormat("one", refuses: .oddHexDigits(line: 4)), StubFormat("two", refuses: .wrongLength(found: 9)),
    ]
    let error = #expect(throws: DumpError.self) { try DumpDetector(formats: formats).parse([1]) }
    guard case .unknownFormat(let refusals) = error else {
      Issue.record("\(String(describing: error)) instead of unknownFormat")
      return
    }
    #expect(refusals.map(\.format) == ["one", "two"])
    #expect(refusals.map(\.error) == [.oddHexDigits(line: 4), .wrongLength(found: 9)])
  }

  @Test("reports only the relevant reason if the other formats merely expect text or binary data")
  func telling() {
    #expect(throws: DumpError.notHex(line: 1, column: 7, character: "O")) {
      try detector.parse(Array("0A1B0COD0E".utf8))
    }
    #expect(throws: DumpError.wrongLength(found: 345)) { try detector.parse([0] + sound) }
    #expect(throws: DumpError.badHeader(line: 1, key: "uid", value: "?")) { try detector.parse(Array("# uid: ?".utf8)) }
  }

  @Test("reports for prose that no format matches, without irrelevant reasons")
  func prose() {
    #expect(throws: DumpError.unknownFormat([])) { try detector.parse(Array("Dear diary,\n5.6 at noon.".utf8)) }
  }

  @Test("refuses an empty file before any format reads it")
  func empty() {
    let blind = DumpDetector(formats: [StubFormat("blind", bytes: sound)])
    #expect(throws: DumpError.empty) { try blind.parse([]) }
    #expect(throws: DumpError.empty) { try detector.parse([]) }
    #expect(throws: DumpError.empty) { try detector.parse([], as: "hex") }
  }

  @Test("tries only the requested format")
  func forced() throws {
    let text = Array("0A1B".utf8)
    #expect(try detector.parse(text, as: "hex").image.bytes == [0x0A, 0x1B])
    #expect(throws: DumpError.isText) { try detector.parse(text, as: "raw") }
    #expect(throws: DumpError.isBinary) { try detector.parse(sound, as: "hex") }
    let poor = DumpDetector(formats: [StubFormat("good", bytes: sound), StubFormat("poor", bytes: [9])])
    #expect(try poor.parse([1], as: "poor").image.bytes == [9])
  }

  @Test("accepts alternative format names and reports the name in the list")
  func alias() throws {
    let poor = StubFormat("poor", aliases: ["meagre"], finds: [.success(Dump(image: MemoryImage(bytes: [9])))])
    let both = DumpDetector(formats: [StubFormat("good", bytes: sound), poor])
    #expect(try both.parse([1], as: "meagre") == (MemoryImage(bytes: [9]), "poor"))
    #expect(try detector.parse(sound, as: "bin").format == "raw")
  }

  @Test("lists the available formats if an unknown one is requested")
  func noSuchFormat() {
    #expect(throws: DumpError.noSuchFormat("HEX", known: ["hex", "raw"])) { try detector.parse(sound, as: "HEX") }
    #expect(throws: DumpError.noSuchFormat("", known: ["hex", "raw"])) { try detector.parse(sound, as: "") }
  }

  @Test("passes up to 64 MiB to a format and refuses more")
  func sizeLimit() {
    let limit = 67_108_864
    #expect(DumpFile.sizeLimit == limit)
    var file = [UInt8](repeating: 0, count: limit + 1)
    let sound = sound
    let stub = DumpDetector(formats: [StubFormat("stub", bytes: sound)])
    #expect(throws: DumpError.tooLarge(found: limit + 1, limit: limit)) { try stub.parse(file) }
    #expect(throws: DumpError.tooLarge(found: limit + 1, limit: limit)) { try stub.parse(file, as: "stub") }
    file.removeLast()
    #expect(throws: Never.self) { try stub.parse(file) }
  }
}

/// A format that gives the same memory many times, with line numbers as labels.
private struct EndlessFormat: DumpFormat {
  let name = "endless"
  let summary = "a format of the tests"
  let image: MemoryImage

  func dumps(in file: DumpFile) -> DumpSequence {
    var line = 0
    return DumpSequence {
      line += 1
      return .success(Dump(image: image, line: line))
    }
  }
}

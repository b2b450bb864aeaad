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
    let image = MemoryImage(bytes: sound)
    #expect(try detector.parse(sound) == (image, "raw"))
    #expect(try detector.parse(Array(HexDump.text(of: image, notes: []).utf8)) == (image, "hex"))
  }

  @Test("chooses the reading with more valid checksums, of any layout, in any order; of those without any the first")
  func checksumsDecide() throws {
    let none = StubFormat("none", bytes: Array(sound.reversed()))
    let bare = StubFormat("bare", bytes: Array(repeating: 2, count: 344))
    let all = StubFormat("all", bytes: sound)
    let pro = StubFormat("pro", bytes: MemoryBuilder.pattern(count: 176, layout: .pro).bytes)
    var (later, flipped) = (sound, sound)
    flipped[200] ^= 1
    let bad = StubFormat("bad", bytes: flipped)
    // A body is valid if only the minute changed during the read.
    later[316] += 1
    #expect(later[316] != 0)
    for (formats, name) in [
      ([none, one, all], "all"), ([all, one, none], "all"), ([one, none], "one"), ([none, one], "one"),
      ([one, pro], "pro"), ([none, bare], "none"), ([bare, none], "bare"),
      ([bad, StubFormat("torn", bytes: later)], "torn"),
    ] {
      #expect(try format(of: [1], among: formats) == name)
    }
  }

  @Test("does not choose between two readings with equally many valid checksums")
  func ambiguous() {
    var other = MemoryBuilder.pattern()
    other.bytes[100] = 0xEE
    other.seal([.body])
    let formats = [
      StubFormat("first", bytes: sound), StubFormat("poor", bytes: [1, 2, 3]), StubFormat("second", bytes: other.bytes),
    ]
    for (formats, names) in [(formats, ["first", "second"]), (formats.reversed(), ["second", "first"])] {
      #expect(throws: DumpError.ambiguousFormat(names)) { try DumpDetector(formats: formats).parse([1]) }
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

  @Test("rates a format by the best of its memories, including the 64th, and reads no more once the format is known")
  func bestOfSeveral() throws {
    let poor = DumpSequence.Element.success(Dump(image: MemoryImage(bytes: [9])))
    let late = StubFormat(
      "late", finds: Array(repeating: poor, count: 63) + [.success(Dump(image: .init(bytes: sound)))])
    let (format, dumps) = try DumpDetector(formats: [one, late]).detect(DumpFile([1]))
    #expect(format == "late")
    #expect(Array(dumps).count == 64, "those that were looked at are among them")
    var endless = try DumpDetector(formats: [EndlessFormat(image: MemoryImage(bytes: sound))]).detect(DumpFile([1]))
    #expect(endless.format == "endless")
    for number in 1...1_000 { #expect(try endless.dumps.next()?.get().line == number) }
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

  @Test("reports a file with a valid format but without a memory, and refuses an empty file before any format reads it")
  func noMemory() {
    let bare = DumpDetector(formats: [StubFormat("bare", finds: [])])
    #expect(throws: DumpError.noMemory) { try bare.parse([1]) }
    #expect(throws: DumpError.noMemory) { try bare.parse([1], as: "bare") }
    let blind = DumpDetector(formats: [StubFormat("blind", bytes: sound)])
    #expect(throws: DumpError.empty) { try blind.parse([]) }
    #expect(throws: DumpError.empty) { try detector.parse([], as: "hex") }
  }

  @Test("reports the reason of each format if none matches")
  func unknown() throws {
    let formats = [
      StubFormat("one", refuses: .oddHexDigits(line: 4)), StubFormat("two", refuses: .wrongLength(found: 9)),
    ]
    let error = #expect(throws: DumpError.self) { try DumpDetector(formats: formats).parse([1]) }
    guard case .unknownFormat(let refusals) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(refusals.map(\.format) == ["one", "two"])
    #expect(refusals.map(\.error) == [.oddHexDigits(line: 4), .wrongLength(found: 9)])
  }

  @Test("reports only the relevant reason if the other formats merely expect text or binary data, and none for prose")
  func telling() {
    for (text, error) in [
      ("0A1B0COD0E", .notHex(line: 1, column: 7, character: "O")),
      ("# uid: ?", .badHeader(line: 1, key: "uid", value: "?")),
      ("Dear diary,\n5.6 at noon.", .unknownFormat([])),
    ] as [(String, DumpError)] {
      #expect(throws: error) { try detector.parse(Array(text.utf8)) }
    }
    #expect(throws: DumpError.wrongLength(found: 345)) { try detector.parse([0] + sound) }
  }

  @Test("tries only the requested format, by its name or another one, and lists the available ones if it is unknown")
  func forced() throws {
    let text = Array("0A1B".utf8)
    #expect(try detector.parse(text, as: "hex").image.bytes == [0x0A, 0x1B])
    #expect(throws: DumpError.isText) { try detector.parse(text, as: "raw") }
    #expect(throws: DumpError.isBinary) { try detector.parse(sound, as: "hex") }
    let poor = StubFormat("poor", aliases: ["meagre"], finds: [.success(Dump(image: MemoryImage(bytes: [9])))])
    let both = DumpDetector(formats: [StubFormat("good", bytes: sound), poor])
    for name in ["poor", "meagre"] { #expect(try both.parse([1], as: name) == (MemoryImage(bytes: [9]), "poor")) }
    #expect(try detector.parse(sound, as: "bin").format == "raw")
    for name in ["HEX", ""] {
      #expect(throws: DumpError.noSuchFormat(name, known: ["hex", "raw"])) { try detector.parse(sound, as: name) }
    }
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

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import LibreKit
import TestSupport
import Testing

@Suite("A recorded conversation as a dump")
struct TraceDumpTests {
  private func dumps(_ text: String) throws(DumpError) -> [DumpSequence.Element] {
    Array(try TraceDump().dumps(in: DumpFile(Array(text.utf8))))
  }

  private func images(_ text: String) throws -> [MemoryImage] { try dumps(text).map { try $0.get().image } }

  private let uid = SensorUID(bits: 0xE007_A000_0123_4567)
  private let hello = "26 01 00 -> 00 00 67 45 23 01 00 A0 07 E0"

  /// A memory of which only these blocks were read, each of eight equal bytes.
  private func image(_ blocks: [Int: UInt8], uid: SensorUID?, readAt: Instant? = nil) -> MemoryImage {
    MemoryImage(
      bytes: (0..<43).flatMap { Array(repeating: blocks[$0] ?? 0, count: 8) },
      missingBlocks: (0..<43).filter { blocks[$0] == nil }, uid: uid, readAt: readAt)
  }

  @Test("is the memory that its header names, as far as it was read", arguments: RecordedTraceTests.names)
  func recordings(name: String) throws {
    let text = try RecordedTraceTests.text(of: name)
    let truth = try RecordedTraceTests.truth(of: text)
    let images = try images(text)
    #expect(images.count == 1)
    let image = try #require(images.first)
    #expect(image.patchInfo == (name == "single-blocks.trace" ? nil : truth.patchInfo))
    #expect(image.missingBlocks == (name == "x-never-back.trace" ? Array(18..<43) : []))
    RecordedTraceTests.expect(image, toBe: truth)
  }

  @Test("has the recorded UID, patch info and time, and its first line")
  func facts() throws {
    let found = try dumps(
      """
      # libre-trace: 1

      # tap
      \(hello)
      02 A1 07 -> 00 DF 00 00 08 A5 D6
      02 23 00 02 -> 00 11 11 11 11 11 11 11 11 22 22 22 22 22 22 22 22 33 33 33 33 33 33 33 33
      02 20 2A -> 00 44 44 44 44 44 44 44 44
      # read-at: 2024-05-02T12:15:00+02:00
      """)
    var image = image(
      [0: 0x11, 1: 0x22, 2: 0x33, 42: 0x44], uid: uid, readAt: Instant(secondsSince1970: 1_714_644_900))
    image.patchInfo = PatchInfo([0xDF, 0, 0, 8, 0xA5, 0xD6])
    #expect(found == [.success(Dump(image: image, line: 3))])
    // The system information has the UID too.
    let text = "# libre-trace: 1\n02 2B -> 00 00 67 45 23 01 00 A0 07 E0\n02 20 05 -> 00 55 55 55 55 55 55 55 55\n"
    #expect(try images(text) == [self.image([5: 0x55], uid: uid)])
  }

  @Test("is as long as the blocks read, up to the maximum that NFC reaches")
  func beyond() throws {
    let text = "# libre-trace: 1\n02 20 F3 -> 00 55 55 55 55 55 55 55 55\n"
    let image = try #require(try images(text).first)
    #expect(image.bytes.count == 1_952)
    #expect(image.missingBlocks == Array(0..<243))
    #expect(image.bytes.suffix(8).allSatisfy { $0 == 0x55 })
    // A tag of another kind has more blocks than a sensor.
    #expect(try dumps(text.replacing("20 F3", with: "20 FD")) == [.failure(.wrongLength(found: 2_032))])
  }

  @Test("uses the later bytes of a block read twice, and none if the sensor refused it then")
  func readAgain() throws {
    let start = "# libre-trace: 1\n# tap\n\(hello)\n"
    let first = "02 23 03 01 -> 00 11 11 11 11 11 11 11 11 22 22 22 22 22 22 22 22\n"
    #expect(
      try images(start + first + "02 20 04 -> 00 33 33 33 33 33 33 33 33") == [image([3: 0x11, 4: 0x33], uid: uid)])
    #expect(try images(start + first + "02 20 04 -> 01 10") == [image([3: 0x11], uid: uid)])
    #expect(try images(start + first + "02 23 03 01 -> 01 10") == [image([3: 0x11, 4: 0x22], uid: uid)])
  }

  @Test(
    "ignores lines that do not answer a request of a scan",
    arguments: [
      "02 20 04 -> silent", "02 20 04 -> empty", "02 20 04 -> 00 33 33", "02 20 04 -> 02 33 33 33 33 33 33 33 33",
      "02 20 04 -> 00 33 33 33 33 33 33 33 33 33", "02 20 -> 00 33 33 33 33 33 33 33 33", "02 -> 00",
      "02 21 04 33 33 33 33 33 33 33 33 -> 00", "22 20 67 45 23 01 00 A0 07 E0 04 -> 00 33 33 33 33 33 33 33 33",
      "02 23 FF 02 -> 00", "02 23 04 FF -> 00", "02 A1 07 -> 00 DF", "26 01 00 -> 00 00 67 45 23 01 00 A0 07 E1",
      "02 2B -> 00 FF",
    ])
  func noAnswer(line: String) throws {
    let text = "# libre-trace: 1\n# tap\n\(hello)\n02 20 03 -> 00 11 11 11 11 11 11 11 11\n\(line)\n"
    #expect(try images(text) == [image([3: 0x11], uid: uid)])
  }

  private let block3 = "02 20 03 -> 00 11 11 11 11 11 11 11 11"
  private let block4 = "02 20 04 -> 00 22 22 22 22 22 22 22 22"
  private let readAt = "# read-at: 2024-05-02T10:15:00Z\n"
  private let time = Instant(secondsSince1970: 1_714_644_900)

  /// A recording of two taps: the line of the UID at each, the lines between them, and those at the end.
  private func taps(_ first: String? = nil, _ second: String? = nil, between: String, end: String = "") -> String {
    "# libre-trace: 1\n# tap\n\(first ?? hello)\n\(block3)\n\(between)# tap\n\(second ?? hello)\n\(block4)\n\(end)"
  }

  @Test("continues the same scan at a tap after the sensor was lost", arguments: ["lost", "silent"])
  func lostAndBack(word: String) throws {
    let text = taps(between: "02 20 04 -> \(word)\n", end: readAt)
    #expect(try images(text) == [image([3: 0x11, 4: 0x22], uid: uid, readAt: time)])
  }

  @Test(
    "begins another scan at a tap after the last ended: by its time, a removed sensor or no loss",
    arguments: [
      "# read-at: 2024-05-02T10:15:00Z", "02 20 04 -> lost\n# read-at: 2024-05-02T10:15:00Z",
      "02 20 04 -> lost\n# no tap: no-tag\n# read-at: 2024-05-02T10:15:00Z",
      "# read-at: 2024-05-02T10:15:00Z\n# removed",
    ])
  func scans(end: String) throws {
    let text = taps(between: "\(end)\n")
    #expect(try images(text) == [image([3: 0x11], uid: uid, readAt: time), image([4: 0x22], uid: uid)])
    #expect(try dumps(text).map { try $0.get().line } == [2, 5 + end.split(separator: "\n").count])
    // A tap does not take the time of the next one, unless values were lost before it.
    #expect(
      try images(taps(between: "", end: readAt)) == [
        image([3: 0x11], uid: uid), image([4: 0x22], uid: uid, readAt: time),
      ])
  }

  @Test("gives another memory for another sensor in place of the lost one, even with both UIDs withheld")
  func otherSensor() throws {
    func found(_ first: String, _ second: String) throws -> [MemoryImage] {
      try images(taps("26 01 00 -> \(first)", "26 01 00 -> \(second)", between: "02 20 04 -> lost\n"))
    }
    func separate(_ first: SensorUID?, _ second: SensorUID?) -> [MemoryImage] {
      [image([3: 0x11], uid: first), image([4: 0x22], uid: second)]
    }
    let other = SensorUID(bits: 0xE07A_0000_0000_1234)
    #expect(try found("00 00 67 45 23 01 00 A0 07 E0", "00 00 34 12 00 00 00 00 7A E0") == separate(uid, other))
    let withheld = "00 00 00 00 00 00 00 A0 07 E0"
    #expect(try found(withheld, "00 00 01 00 00 00 00 A0 07 E0") == separate(nil, nil))
    #expect(try found(withheld, withheld) == [image([3: 0x11, 4: 0x22], uid: nil)])
    // A sensor without a UID is not known to be the same one.
    #expect(try found("01 01", "01 01") == separate(nil, nil))
  }

  @Test("is accepted with any line end, byte order mark and escape sequences", arguments: ["\r\n", "\r", "\n\n"])
  func writing(end: String) throws {
    let text = ["\u{FEFF}# libre-trace: 1", "\u{1B}[2m# tap\u{1B}[0m", hello, block3, ""].joined(separator: end)
    #expect(try images(text) == [image([3: 0x11], uid: uid)])
  }

  @Test("refuses other text, damaged lines and a recording without a memory")
  func refusals() throws {
    #expect(throws: DumpError.empty) { try dumps("") }
    #expect(throws: DumpError.isBinary) { try dumps("# libre-trace: 1\n\u{0}") }
    #expect(throws: DumpError.notThisFormat(lacks: "a line `# libre-trace: 1`")) { try dumps("\(hello)\n\(block3)") }
    let expected = "a line of a transcript"
    #expect(throws: DumpError.badLine(line: 1, expected: expected)) { try dumps("# libre-trace: 2\n\(block3)") }
    #expect(throws: DumpError.badLine(line: 4, expected: expected)) {
      try dumps("# libre-trace: 1\n\n\(hello)\n02 20 zz")
    }
    #expect(throws: DumpError.noMemory) { try images("# libre-trace: 1\n# tap\n\(hello)\n# removed\n") }
    // It is distinguished from similar hex digits, even if it has no memory.
    let detector = DumpDetector(formats: [TraceDump(), HexDump(), RawDump()])
    let text = "# libre-trace: 1\n# tap\n\(hello)\n"
    #expect(try detector.parse(Array("\(text)\(block3)\n".utf8)) == (image([3: 0x11], uid: uid), "trace"))
    #expect(throws: DumpError.noMemory) { try detector.parse(Array(text.utf8)) }
  }
}

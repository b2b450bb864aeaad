// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

/// Mail programs, terminals, logs and people change a text. It must still be read, or give an error. The result must
/// never contain a byte that the memory did not have.
@Suite("Texts damaged in transit")
struct DamagedTextTests {
  /// Who reads the text: its own format, or detection, which tries every format.
  enum Door: CaseIterable {
    case ownFormat
    case detection

    /// The blocks that a test damages: all in `make full`, else some. Detection is slow and gets a seventh of them.
    func sample(_ numbers: Range<Int>) -> [Int] {
      let step = (self == .detection ? 7 : 1) * (TestTier.current == .full ? 1 : 4)
      return numbers.filter { $0.isMultiple(of: step) || $0 == numbers.upperBound - 1 }
    }
  }

  private func images(
    _ file: [UInt8], of fixture: TextFixture, through door: Door
  ) throws(DumpError) -> [MemoryImage] {
    let file = DumpFile(file)
    let elements =
      switch door {
      case .ownFormat: try fixture.format.dumps(in: file)
      case .detection: try DumpDetector(formats: TextFixture.formats).detect(file).dumps
      }
    var images: [MemoryImage] = []
    for element in elements { images.append(try element.get().image) }
    return images
  }

  private func images(_ lines: [String], of fixture: TextFixture, through door: Door) throws(DumpError) -> [MemoryImage]
  {
    try images(Array(lines.map { $0 + "\n" }.joined().utf8), of: fixture, through: door)
  }

  /// The lines must give the same image and no second one.
  private func expectSame(
    _ lines: [String], _ fixture: TextFixture, _ door: Door, _ note: @autoclosure () -> String = ""
  ) {
    #expect(throws: Never.self) {
      let found = try images(lines, of: fixture, through: door)
      #expect(found == [fixture.image], "\(note())")
    }
  }

  /// A layout of a text, and how it changes the lines.
  struct Writing: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: @Sendable ([String]) -> [UInt8]

    init(_ name: String, _ bytes: @escaping @Sendable ([String]) -> [UInt8]) {
      testDescription = name
      self.bytes = bytes
    }

    private static func joined(_ lines: [String], by end: String = "\n") -> [UInt8] {
      Array(lines.map { $0 + end }.joined().utf8)
    }

    private static func wide(_ lines: [String], _ bytes: (UInt16) -> [UInt8]) -> [UInt8] {
      ("\u{FEFF}" + lines.joined(separator: "\r\n")).utf16.flatMap(bytes)
    }

    private static func coloured(_ line: String) -> String { "\u{1B}[0;32m\(line)\u{1B}[0m" }

    static let all = [
      Writing("as it is") { joined($0) },
      Writing("without an end to the last line") { Array($0.joined(separator: "\n").utf8) },
      Writing("CRLF") { joined($0, by: "\r\n") },
      Writing("CR") { joined($0, by: "\r") },
      Writing("a byte order mark") { [0xEF, 0xBB, 0xBF] + joined($0) },
      Writing("UTF-16, little end first") { wide($0) { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } },
      Writing("UTF-16, big end first") { wide($0) { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } },
      Writing("every line in colour") { joined($0.map(coloured)) },
      Writing("every word in colour") {
        joined(
          $0.map {
            $0.split(separator: " ", omittingEmptySubsequences: false).map(String.init).map(coloured).joined(
              separator: " ")
          })
      },
      Writing("blank lines between") { joined($0, by: "\n\n \n") },
      Writing("blanks at the ends of lines") { joined($0, by: " \t\n") },
    ]
  }

  @Test("a text gives the same memory in any layout", arguments: TextFixture.all, Writing.all)
  func writings(fixture: TextFixture, writing: Writing) throws {
    #expect(try images(writing.bytes(fixture.lines), of: fixture, through: .ownFormat) == [fixture.image])
  }

  /// Every text with every layout; all pairs in `make full` only.
  private static let detectedPairs: [(TextFixture, Writing)] = TextFixture.all.enumerated().flatMap { number, fixture in
    Writing.all.enumerated().filter { TestTier.current == .full || (number + $0.offset).isMultiple(of: 5) }
      .map { (fixture, $0.element) }
  }

  @Test("a text is detected in any layout", arguments: detectedPairs)
  func detectedWritings(fixture: TextFixture, writing: Writing) throws {
    #expect(try images(writing.bytes(fixture.lines), of: fixture, through: .detection) == [fixture.image])
  }

  @Test(
    "a text gives the same memory with a log prefix before each line",
    arguments: TextFixture.all.filter(\.takesPrefix), Door.allCases)
  func prefixes(fixture: TextFixture, door: Door) {
    expectSame(fixture.lines.map { "2024-05-02 10:15:00.123 app[12:34] " + $0 }, fixture, door)
  }

  @Test(
    "a text that was cut off gives the beginning of the memory, or an error", arguments: TextFixture.all, Door.allCases)
  func cut(fixture: TextFixture, door: Door) {
    for count in door.sample(0..<fixture.head.count + fixture.blocks.count) {
      guard let found = try? images(Array(fixture.lines[..<count]), of: fixture, through: door) else { continue }
      for image in found {
        let missing = Set(image.missingBlocks)
        #expect(
          image.bytes.indices.allSatisfy { offset in
            missing.contains(offset / 8)
              || offset < fixture.image.bytes.count && image.bytes[offset] == fixture.image.bytes[offset]
          }, "\(count) lines")
        #expect(
          image.bytes.count < fixture.image.bytes.count || !missing.isEmpty,
          "\(count) lines are no whole memory")
      }
    }
  }

  @Test(
    "a text without one block reports it as missing and fills it with zeros",
    arguments: TextFixture.all.filter(\.numbersBlocks), Door.allCases)
  func blockLeftOut(fixture: TextFixture, door: Door) {
    let size = fixture.image.bytes.count / fixture.blocks.count
    for number in door.sample(fixture.blocks.indices) {
      var expected = fixture.image
      expected.bytes.replaceSubrange(number * size..<(number + 1) * size, with: repeatElement(0, count: size))
      expected.missingBlocks = [number * size / 8]
      var blocks = fixture.blocks
      blocks.remove(at: number)
      #expect(throws: Never.self) {
        let found = try images(fixture.head + blocks + fixture.tail, of: fixture, through: door)
        if number == fixture.blocks.count - 1, found.first?.bytes.count == number * size {
          // Nothing in the text shows that there was one more block.
          #expect(found.map(\.bytes) == [Array(fixture.image.bytes.dropLast(size))])
        } else {
          #expect(found == [expected], "without block \(number)")
        }
      }
    }
  }

  @Test(
    "a text gives the same memory with blocks in another order, and with every line twice",
    arguments: TextFixture.all.filter(\.numbersBlocks), Door.allCases)
  func order(fixture: TextFixture, door: Door) {
    expectSame(fixture.lines.flatMap { [$0, $0] }, fixture, door, "twice")
    expectSame(fixture.head + fixture.blocks.reversed() + fixture.tail, fixture, door, "reversed")
    for number in door.sample(fixture.blocks.indices.dropLast()) {
      var blocks = fixture.blocks
      blocks.swapAt(number, number + 1)
      expectSame(fixture.head + blocks + fixture.tail, fixture, door, "\(number) after \(number + 1)")
    }
  }

  @Test(
    "a text with two contents for one block is an error with both lines",
    arguments: TextFixture.all.filter(\.numbersBlocks), Door.allCases)
  func conflict(fixture: TextFixture, door: Door) throws {
    for number in door.sample(fixture.blocks.indices) {
      let other = try #require(fixture.lineWithOtherBytes(number), "no bytes found in \(fixture.blocks[number])")
      var lines = fixture.lines
      let position = fixture.head.count + number
      lines.insert(other, at: position + 1)
      #expect(throws: DumpError.conflictingBlocks(block: number, lines: [position + 1, position + 2])) {
        try images(lines, of: fixture, through: door)
      }
    }
  }
}

extension TextFixture {
  /// Every text that the tests damage. A new format that is read line by line adds its own text.
  static let all: [TextFixture] =
    encoded + [
      diable, diableAddresses, diableAddressesAlone, diableUnnumbered, diableBare,
      libreMonitorComments, libreMonitorWiki, libreMonitorAppend, libreMonitorArduino,
      oldProxmark, oldestProxmark, readdump,
      proxmarkConsole, proxmarkConsoleDense, proxmarkEML,
      tagInfo, tagInfoAccess,
      xxd, xxdNarrow, hexdump,
      numbered, hex,
    ]

  private static let hex = TextFixture(
    HexDump(), head: ["# uid: E007A00001234567"], blocks: memoryBlocks.map { hex($0) }, numbersBlocks: false,
    takesPrefix: false, image: imageWithUID)

  private static let numbered = TextFixture(
    NumberedText(), head: ["== memory", "UID: 67 45 23 01 00 A0 07 E0"],
    blocks: memoryBlocks.enumerated().map { "block \($0): \(hex($1, upper: false))" }, tail: ["== end"],
    image: imageWithUID)

  /// Each format of the texts once, in their order, and the format that has no text of its own.
  fileprivate static let formats: [any DumpFormat] =
    all.map(\.format).reduce(into: []) { formats, format in
      if !formats.contains(where: { $0.name == format.name }) { formats.append(format) }
    } + [RawDump()]

  /// The line of a block with one flipped bit; the character next to the bytes changes too.
  fileprivate func lineWithOtherBytes(_ number: Int) -> String? {
    let line = blocks[number].replacing(/\u{1B}\[[0-9;]*m/, with: "")
    let size = image.bytes.count / blocks.count
    let bytes = Array(image.bytes[number * size..<(number + 1) * size])
    var other = bytes
    other[0] ^= 0x10
    var writings: [([UInt8]) -> String] = []
    for separator in [" ", "", ":"] {
      for upper in [true, false] { writings.append { Self.hex($0, separator: separator, upper: upper) } }
    }
    // This replacement is last, because these digits also occur in the padded numbers.
    writings.append { $0.map { String($0, radix: 16, uppercase: true) }.joined(separator: " ") }
    for write in writings where line.contains(write(bytes)) {
      return line.replacing(write(bytes), with: write(other), maxReplacements: 1)
        .replacing(Self.ascii(bytes), with: Self.ascii(other), maxReplacements: 1)
    }
    return nil
  }
}

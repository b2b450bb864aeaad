// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import TestSupport
import Testing
import TextFormats

/// The values that a JSON writer turns into bytes itself, against straightforward forms of the same.
struct WrittenValuesTests {
  private func written(_ value: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(indented: false)
    value(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Numbers of all magnitudes, each with its neighbours at the powers of ten.
  private static let integers: [Int] = {
    var random = SplitMix64(seed: 35)
    var numbers = [Int.min, .min + 1, .max, .max - 1, Int(Int32.min), Int(Int32.max), Int(Int32.max) + 1]
    for power in sequence(first: 1, next: { $0 < Int.max / 10 ? $0 * 10 : nil }) {
      numbers += [power - 1, power, power + 1, -power]
    }
    for _ in 0..<2_000 {
      let bits = Int(truncatingIfNeeded: random.next())
      numbers.append(bits >> Int(random.next() % 64))
    }
    return numbers
  }()

  @Test("integers of every length are written like their descriptions")
  func integers() {
    for number in Self.integers { #expect(written { $0.value(number) } == "\(number)") }
  }

  @Test("numbers with decimals are written like the rounded number without its trailing zeros")
  func decimals() {
    var random = SplitMix64(seed: 36)
    var values = [0.05, -0.05, 0.1, 99.99995, 0.00005, -0.00004, 1e15, 9.2e18, 1e19, -1e22, 123_456_789.123_456]
    for _ in 0..<4_000 {
      let scale = (0..<Int(random.next() % 12)).reduce(0.01) { power, _ in power * 10 }
      values.append(Double.random(in: -1...1, using: &random) * scale)
    }
    for value in values {
      for places in [0, 1, 2, 4, 6, 12] {
        var expected = DecimalText.fixed(value, places: places)
        if expected.contains(".") {
          while expected.last == "0" { expected.removeLast() }
          if expected.last == "." { expected.removeLast() }
        }
        #expect(written { $0.value(value, places: places) } == expected, "\(value), \(places) places")
        #expect(DecimalText.shortest(value, places: places) == expected, "\(value), \(places) places")
      }
    }
  }

  @Test("times of ten thousand years are written like those of the platform")
  func times() {
    var random = SplitMix64(seed: 37)
    let format = Date.ISO8601FormatStyle()
    var seconds: [Int64] = [
      -1, 0, 951_782_400, 951_868_799, 4_107_542_399, Instant.writable.upperBound.secondsSince1970,
    ]
    for _ in 0..<4_000 { seconds.append(Int64(random.next() % 253_000_000_000)) }
    for second in seconds {
      let time = Instant(secondsSince1970: second)
      let expected = Date(timeIntervalSince1970: Double(second)).formatted(format)
      #expect(time.rfc3339 == expected)
      #expect(written { $0.value(time) } == "\"\(expected)\"")
    }
    #expect(written { $0.value(nil as Instant?) } == "null")
    // A time before the year 0 or after 9999 is written in full.
    #expect(Instant(secondsSince1970: 253_402_300_800).rfc3339 == "10000-01-01T00:00:00Z")
    #expect(Instant(secondsSince1970: -62_167_219_201).rfc3339 == "00-1-12-31T23:59:59Z")
  }

  @Test("ids are written like the platform's UUIDs in lower case")
  func ids() {
    var random = SplitMix64(seed: 38)
    for _ in 0..<2_000 {
      let id = SampleID(high: random.next(), low: random.next())
      let b = id.bytes
      let uuid = UUID(
        uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]))
      #expect(id.description == uuid.uuidString.lowercased())
      #expect(written { $0.value(id) } == "\"\(uuid.uuidString.lowercased())\"")
    }
    #expect(written { $0.value(nil as SampleID?) } == "null")
  }

  @Test("a signature is found at every place of a text, and only as a whole")
  func search() {
    let text = Array("aaab# libre-trace: 1".utf8)
    for part in ["# libre-trace:", "aab", "1", ""] { #expect(text[...].contains(text: part), "\(part)") }
    #expect(!text.dropLast().contains(text: "1") && !text.contains(text: "aaaa"))
    #expect(!([] as [UInt8]).contains(text: "a"))
  }
}

@Suite("Base64")
struct Base64TextTests {
  @Test("base64 is read in both alphabets, with or without padding, over several lines, and nothing invalid is")
  func base64() {
    for text in ["+/+/AA==", "-_-_AA==", "+/+/AA", "-_-_AA", "+/\r\n +/A\tA =\n=", "+/+/AA="] {
      #expect(Base64Text.bytes(of: text.utf8) == [0xFB, 0xFF, 0xBF, 0x00], "\(text)")
    }
    for text in ["", " ", "=", "====", "A", "AAAAA", "AA=A", "AA*A", "AAé", "AAAA\u{0}"] {
      #expect(Base64Text.bytes(of: text.utf8) == nil, "\(text)")
    }
  }
}

struct HTTPDateTests {
  @Test(
    "a date is written in the form of RFC 9110 and read back as the same time",
    arguments: [
      ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
      ("1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
      ("2024-02-29T23:59:59Z", "Thu, 29 Feb 2024 23:59:59 GMT"),
      ("1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
    ])
  func written(moment: String, text: String) throws {
    let instant = try #require(Instant(rfc3339: moment))
    #expect(HTTPDate.text(instant) == text && HTTPDate.instant(text, now: instant) == instant)
  }
}

struct DecimalTextTests {
  @Test("never writes a negative zero")
  func negativeZero() {
    for value in [-0.0, -0.001, -0.004_9] {
      #expect(DecimalText.fixed(value, places: 2) == "0.00")
      #expect(DecimalText.shortest(value, places: 2) == "0")
    }
    #expect(DecimalText.fixed(-0.4, places: 0) == "0")
  }

  @Test("rounds halves, which are exact in binary, away from zero")
  func halves() {
    for (value, places, text) in [
      (0.5, 0, "1"), (1.5, 0, "2"), (2.5, 0, "3"), (-2.5, 0, "-3"), (0.125, 2, "0.13"), (-0.375, 2, "-0.38"),
    ] {
      #expect(DecimalText.fixed(value, places: places) == text)
    }
  }

  @Test("writes the same as Foundation's formatting for random numbers")
  func foundation() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<TestTier.rounds(5_000, full: 20_000) {
      let places = random.number(0...6)
      let size = Double(random.number(1...7))
      let value = (Double(random.number(-1_000_000...1_000_000)) + random.fraction(at: 0)) / pow(10, size)
      let scaled = abs(value) * pow(10, Double(places))
      // Where the number is almost half-way, the nearest binary number decides, not the rounding rule.
      guard abs(scaled - scaled.rounded(.down) - 0.5) > 1e-6 else { continue }
      var expected = String(format: "%.\(places)f", value)
      if expected.allSatisfy({ "-0.".contains($0) }) { expected = expected.replacingOccurrences(of: "-", with: "") }
      #expect(DecimalText.fixed(value, places: places) == expected, "\(value)")
    }
  }

  @Test(
    "never changes the value of a number, however large it is, and writes no exponents",
    arguments: [1e15, 1e16, 1.5e16, 1e18, 9.3e18, 1.5e20, 1.2e100, 1.5e300, 2.5e-300, 1.797_693_134_862_315_7e308])
  func huge(value: Double) {
    var wrong: Set<String> = []
    for number in [value, -value] {
      for places in [0, 2, 4, 12] {
        let tolerance = max(0.5 * pow(10, -Double(places)), value * 1e-15)
        for text in [DecimalText.shortest(number, places: places), DecimalText.fixed(number, places: places)] {
          if Double(text).map({ abs($0 - number) <= tolerance }) != true || text.contains("e") { wrong.insert(text) }
        }
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test(
    "percentages are whole, but 0 only for nothing and 100 only for everything",
    arguments: [
      (0.0, "0 %"), (0.01, "<1 %"), (0.99, "<1 %"), (1, "1 %"), (1.5, "2 %"), (70.4, "70 %"), (99, "99 %"),
      (99.01, ">99 %"), (100, "100 %"),
    ])
  func percentages(value: Double, expected: String) { #expect(PercentText.whole(value) == expected) }
}

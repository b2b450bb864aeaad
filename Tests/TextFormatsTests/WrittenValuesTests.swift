// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
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
  }

  @Test("a time before the year 0 or after 9999 is written in full")
  func timesOutside() {
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
    #expect(text.contains(text: "# libre-trace:"))
    #expect(text.contains(text: "aab"))
    #expect(text[...].contains(text: "1"))
    #expect(!text.dropLast().contains(text: "1"))
    #expect(!text.contains(text: "aaaa"))
    #expect(text.contains(text: ""))
    #expect(!([] as [UInt8]).contains(text: "a"))
  }
}

@Suite("Base64")
struct Base64TextTests {
  @Test(
    "base64 is read in both alphabets, with or without padding, over several lines",
    arguments: ["+/+/AA==", "-_-_AA==", "+/+/AA", "-_-_AA", "+/\r\n +/A\tA =\n=", "+/+/AA="])
  func base64(text: String) {
    #expect(Base64Text.bytes(of: text.utf8) == [0xFB, 0xFF, 0xBF, 0x00])
  }

  @Test(
    "invalid base64 is refused", arguments: ["", " ", "=", "====", "A", "AAAAA", "AA=A", "AA*A", "AAé", "AAAA\u{0}"])
  func noBase64(text: String) {
    #expect(Base64Text.bytes(of: text.utf8) == nil)
  }
}

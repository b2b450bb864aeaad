// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorUIDTests {
  @Test("the printed order and the radio order give the same UID, and 64 bits are one only if the top byte is E0")
  func bothOrders() throws {
    let printed: [UInt8] = [0xE0, 0x07, 0xA0, 0x00, 0x00, 0x25, 0x90, 0x5E]
    for bytes in [printed, printed.reversed()] {
      let uid = try SensorUID(bytesInEitherOrder: bytes)
      #expect(uid.bits == 0xE007_A000_0025_905E && uid.bytes == printed && SensorUID(bits: uid.bits) == uid)
    }
    #expect(SensorUID(bits: 0x5E90_2500_00A0_07E0) == nil && SensorUID(bits: 0) == nil)
  }

  @Test("a UID with E0 at both ends is ambiguous, one with it at neither is invalid, and so is any other length")
  func refusedBytes() {
    let refused: [([UInt8], UIDError)] =
      [
        ([0xE0, 0x07, 0xA0, 0, 0, 0x25, 0x90, 0xE0], .ambiguousOrder),
        ([0x07, 0xE0, 0xA0, 0, 0, 0x25, 0xE0, 0x5E], .notISO15693),
      ] + [0, 1, 7, 9, 16].map { ([UInt8](repeating: 0xE0, count: $0), .wrongLength($0)) }
    for (bytes, error) in refused { #expect(throws: error) { try SensorUID(bytesInEitherOrder: bytes) } }
  }

  @Test("typed UIDs are accepted in either case, with or without separators, in either order")
  func typed() throws {
    for text in [
      "E007A0000025905E", "e007a0000025905e", "E0 07 A0 00 00 25 90 5E", "e0:07:a0:00:00:25:90:5e",
      "E0-07-A0-00-00-25-90-5E", "5E90250000A007E0",
    ] {
      #expect(try SensorUID(printed: text).bits == 0xE007_A000_0025_905E, "\(text)")
    }
    // The printed order counts for a UID with E0 at both ends, because the user was asked for that order.
    #expect(try SensorUID(printed: "E007A000002590E0").bits == 0xE007_A000_0025_90E0)
  }

  @Test("errors in a typed UID are reported")
  func typedWrongly() {
    let wrong: [(String, UIDError)] = [
      ("E007A000002590ZZ", .notHex("E007A000002590ZZ")), ("E007A", .notHex("E007A")), ("", .notHex("")),
      ("E007A000002590", .wrongLength(7)), ("E007A0000025905E00", .wrongLength(9)),
      ("0007A0000025905E", .notISO15693),
    ]
    for (text, error) in wrong { #expect(throws: error) { try SensorUID(printed: text) } }
  }

  @Test("a UID prints as sixteen upper-case digits with E0 first, and gives maker and product")
  func parts() throws {
    let uid = try SensorUID(printed: "e07aa40000c2819d")
    #expect(uid.description == "E07AA40000C2819D" && uid.manufacturer == 0x7A && uid.product == 0xA4)
  }

  @Test("a UID shows whether its number was withheld and only maker and product are left")
  func withheld() throws {
    for text in ["E007A00000000000", "E07AA40000000000", "E007A000000000FF"] {
      #expect(try SensorUID(printed: text).isWithheld)
    }
    for text in ["E007A00000000100", "E007A08000000000"] { #expect(try !SensorUID(printed: text).isWithheld) }
  }
}

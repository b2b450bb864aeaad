// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorUIDTests {
  static let printed: [UInt8] = [0xE0, 0x07, 0xA0, 0x00, 0x00, 0x25, 0x90, 0x5E]

  @Test("the printed order and the radio order give the same UID")
  func bothOrders() throws {
    let first = try SensorUID(bytesInEitherOrder: Self.printed)
    let second = try SensorUID(bytesInEitherOrder: [0x5E, 0x90, 0x25, 0x00, 0x00, 0xA0, 0x07, 0xE0])
    #expect(first == second)
    #expect(first.bits == 0xE007_A000_0025_905E)
    #expect(second.bytes == Self.printed)
  }

  @Test("a UID with E0 at both ends is ambiguous, and one with E0 at neither end is invalid")
  func orderCannotBeTold() {
    #expect(throws: UIDError.ambiguousOrder) {
      try SensorUID(bytesInEitherOrder: [0xE0, 0x07, 0xA0, 0, 0, 0x25, 0x90, 0xE0])
    }
    #expect(throws: UIDError.notISO15693) {
      try SensorUID(bytesInEitherOrder: [0x07, 0xE0, 0xA0, 0, 0, 0x25, 0xE0, 0x5E])
    }
  }

  @Test("any length except eight bytes is refused, and the length found is reported", arguments: [0, 1, 7, 9, 16])
  func length(count: Int) {
    #expect(throws: UIDError.wrongLength(count)) {
      try SensorUID(bytesInEitherOrder: [UInt8](repeating: 0xE0, count: count))
    }
  }

  @Test(
    "typed UIDs are accepted in either case, with or without separators, in either order",
    arguments: [
      "E007A0000025905E", "e007a0000025905e", "E0 07 A0 00 00 25 90 5E", "e0:07:a0:00:00:25:90:5e",
      "E0-07-A0-00-00-25-90-5E", "5E90250000A007E0",
    ])
  func typed(text: String) throws {
    #expect(try SensorUID(printed: text).bits == 0xE007_A000_0025_905E)
  }

  @Test("a typed UID with E0 at both ends is read in printed order, because the user was asked for that order")
  func typedWithBothEnds() throws {
    #expect(try SensorUID(printed: "E007A000002590E0").bits == 0xE007_A000_0025_90E0)
  }

  @Test("errors in a typed UID are reported")
  func typedWrongly() {
    #expect(throws: UIDError.notHex("E007A000002590ZZ")) { try SensorUID(printed: "E007A000002590ZZ") }
    #expect(throws: UIDError.notHex("E007A")) { try SensorUID(printed: "E007A") }
    #expect(throws: UIDError.notHex("")) { try SensorUID(printed: "") }
    #expect(throws: UIDError.wrongLength(7)) { try SensorUID(printed: "E007A000002590") }
    #expect(throws: UIDError.wrongLength(9)) { try SensorUID(printed: "E007A0000025905E00") }
    #expect(throws: UIDError.notISO15693) { try SensorUID(printed: "0007A0000025905E") }
  }

  @Test("a UID prints as sixteen upper-case digits with E0 first, and gives maker and product")
  func parts() throws {
    let uid = try SensorUID(printed: "e07aa40000c2819d")
    #expect(uid.description == "E07AA40000C2819D")
    #expect(uid.manufacturer == 0x7A)
    #expect(uid.product == 0xA4)
  }

  @Test("a UID shows whether its number was withheld and only maker and product are left")
  func withheld() throws {
    #expect(try SensorUID(printed: "E007A00000000000").isWithheld)
    #expect(try SensorUID(printed: "E07AA40000000000").isWithheld)
    #expect(try SensorUID(printed: "E007A000000000FF").isWithheld)
    #expect(try !SensorUID(printed: "E007A00000000100").isWithheld)
    #expect(try !SensorUID(printed: "E007A08000000000").isWithheld)
  }

  @Test("64 bits are a valid UID only if the top byte is E0")
  func bits() {
    #expect(SensorUID(bits: 0xE007_A000_0025_905E)?.description == "E007A0000025905E")
    #expect(SensorUID(bits: 0x5E90_2500_00A0_07E0) == nil)
    #expect(SensorUID(bits: 0) == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Testing

struct Libre3PatchInfoTests {
  /// The patch info of a Libre 3: bytes made by hand, of no sensor.
  private static func bytes(
    life: [UInt8] = [0x60, 0x54], type: UInt8 = 4, state: UInt8 = 4, serial: String = "0FF12AB34"
  )
    -> [UInt8]
  {
    [1, 0, 1, 0, 1, 0] + life + [1, 0, 0, 2, type, 12, state] + Array(serial.utf8)
  }

  private static func facts(_ bytes: [UInt8]) -> Libre3PatchInfo? { PatchInfo(bytes).flatMap { Libre3PatchInfo($0) } }

  @Test("life, state and serial number stand where three programs read them")
  func facts() throws {
    let facts = try #require(Self.facts(Self.bytes()))
    #expect(facts.maxLifeMinutes == 21_600 && facts.state == .paired && facts.serial == "0FF12AB34")
    #expect(try #require(Self.facts(Self.bytes(life: [0, 0]))).maxLifeMinutes == nil)
    #expect(try #require(Self.facts(Self.bytes(life: [0xFF, 0xFF], type: 9))).maxLifeMinutes == 65_535)
  }

  @Test("each byte of the state has its own word, and any other none", arguments: 0...UInt8.max)
  func state(byte: UInt8) throws {
    let state = try #require(Self.facts(Self.bytes(state: byte))).state
    #expect(state?.rawValue == (byte <= 8 ? byte : nil))
    #expect(Set(Libre3PatchInfo.State.allCases.map(\.name)).count == 9)
  }

  @Test("characters that are no serial number give none", arguments: ["\0\0\0\0\0\0\0\0\0", "0FF12ab34", "0FF\n2AB34"])
  func serial(text: String) throws { #expect(try #require(Self.facts(Self.bytes(serial: text))).serial == nil) }

  @Test("another length and another product have no such facts")
  func others() {
    for count in 6...23 { #expect(Self.facts(Array(Self.bytes().prefix(count))) == nil) }
    #expect(Self.facts(Self.bytes(type: 1)) == nil)
  }
}

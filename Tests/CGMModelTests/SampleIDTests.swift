// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SampleIDTests {
  @Test("an id prints as a lower-case UUID with its four dashes")
  func text() {
    let id = SampleID(high: 0xD1F5_603B_C12A_549E, low: 0xBE27_E598_66F7_3323)
    #expect(id.description == "d1f5603b-c12a-549e-be27-e59866f73323")
  }

  @Test("leading zeros are kept")
  func zeros() {
    #expect(SampleID(high: 0, low: 0).description == "00000000-0000-0000-0000-000000000000")
    #expect(SampleID(high: 1, low: 0x0A).description == "00000000-0000-0001-0000-00000000000a")
  }

  @Test("only the notation of RFC 9562 is read as an id")
  func ids() {
    let text = "d1f5603b-c12a-549e-be27-e59866f73323"
    #expect(SampleID(text: text)?.description == text)
    #expect(SampleID(text: text.uppercased())?.description == text)
    for wrong in [
      "", "d1f5603b", text + "0", text.replacing("-", with: ""), text.replacing("d1", with: "g1"), "\(text)-",
    ] {
      #expect(SampleID(text: wrong) == nil, "\(wrong)")
    }
  }

  @Test("setting the version changes its bits and the variant bits, and no others")
  func version() {
    let id = SampleID(bytes: [UInt8](repeating: 0xFF, count: 20), version: 5)
    #expect(id.description == "ffffffff-ffff-5fff-bfff-ffffffffffff")
    #expect(SampleID(bytes: id.bytes) == id)
  }
}

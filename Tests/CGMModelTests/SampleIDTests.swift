// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SampleIDTests {
  @Test("it prints as a lower-case UUID with its four dashes")
  func text() {
    let id = SampleID(high: 0xD1F5_603B_C12A_549E, low: 0xBE27_E598_66F7_3323)
    #expect(id.description == "d1f5603b-c12a-549e-be27-e59866f73323")
  }

  @Test("leading zeros stay")
  func zeros() {
    #expect(SampleID(high: 0, low: 0).description == "00000000-0000-0000-0000-000000000000")
    #expect(SampleID(high: 1, low: 0x0A).description == "00000000-0000-0001-0000-00000000000a")
  }
}

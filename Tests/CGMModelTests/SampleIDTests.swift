// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

struct SampleIDTests {
  private let uid = LiteralMemory.uid

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

  @Test("an id has sixteen bytes, and setting the version changes its bits and the variant bits, and no others")
  func bytes() {
    for count in [0, 15, 17] { #expect(SampleID(exactly: [UInt8](repeating: 1, count: count)) == nil) }
    #expect(SampleID(exactly: [UInt8](0..<16))?.bytes == [UInt8](0..<16))
    let id = SampleID(bytes: [UInt8](repeating: 0xFF, count: 20), version: 5)
    #expect(id.description == "ffffffff-ffff-5fff-bfff-ffffffffffff" && SampleID(bytes: id.bytes) == id)
  }

  @Test("the three ids stated in the contract are computed; the first wear is not part of the name")
  func contract() {
    let minute = SensorMinute(45)
    for (wear, ring, name, text) in [
      (1, .history, "history/45", "d1f5603b-c12a-549e-be27-e59866f73323"),
      (1, .trend, "trend/45", "5958d31d-0fd5-58cd-8a24-88c1cc9c939b"),
      (2, .history, "history/45/2", "fb07ce4a-8990-5757-bb9a-c9333f2a7a55"),
    ] as [(Int, SampleRing, String, String)] {
      let id = SampleID(of: uid, wear: wear, ring, minute)
      #expect(id.description == text && id == SampleID(name: "\(uid)/\(name)"))
    }
    #expect(SampleID(of: uid, wear: 10, .trend, minute) == SampleID(name: "\(uid)/trend/45/10"))
  }

  @Test(
    "ids equal those of Python's uuid.uuid5 in the same namespace",
    arguments: [
      ("", "0fdc9cd9-6b5d-54c4-a139-36740488ba5e"), ("a", "6ccb4e88-96d5-51a6-8cbc-34822848ea40"),
      ("libre", "93167b78-efc8-5575-8f59-9238e5ab0925"), ("Zürich/日本/🙂", "c9ddb5e2-2aed-53b7-8698-19d4ba148ab1"),
      (String(repeating: "x", count: 200), "0859d3be-2bfa-5aae-9351-346f9de58245"),
      ("E07AA000FFFFFFFF/trend/21605", "22e87ca0-bde8-5753-9ed7-734de825b007"),
    ])
  func python(name: String, id: String) {
    #expect(SampleID(name: name).description == id)
  }
}

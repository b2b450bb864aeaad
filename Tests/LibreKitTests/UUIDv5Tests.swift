// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SensorSimulator
import TestSupport
import Testing

@testable import LibreKit

struct UUIDv5Tests {
  private let uid = LiteralMemory.uid

  @Test("the three ids stated in the contract are computed")
  func contract() {
    let minute = SensorMinute(45)
    #expect(
      UUIDv5.sample(uid: uid, ring: .history, minute: minute).description == "d1f5603b-c12a-549e-be27-e59866f73323")
    #expect(UUIDv5.sample(uid: uid, ring: .trend, minute: minute).description == "5958d31d-0fd5-58cd-8a24-88c1cc9c939b")
    #expect(
      UUIDv5.sample(uid: uid, ring: .history, minute: minute, wear: 2).description
        == "fb07ce4a-8990-5757-bb9a-c9333f2a7a55")
  }

  @Test("the first wear is not part of the name")
  func firstWear() {
    let minute = SensorMinute(45)
    #expect(
      UUIDv5.sample(uid: uid, ring: .trend, minute: minute, wear: 1)
        == UUIDv5.sample(uid: uid, ring: .trend, minute: minute))
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
    #expect(UUIDv5.id(of: name).description == id)
  }

  @Test("every id is marked as version 5, variant of RFC 9562")
  func marks() {
    for number in 0..<500 {
      let id = UUIDv5.id(of: "sample \(number)")
      #expect(id.high >> 12 & 0xF == 5)
      #expect(id.low >> 62 == 2)
    }
  }

  @Test("two samples of a sensor never have the same id")
  func distinct() {
    var ids: Set<SampleID> = []
    for minute in 1...2_000 {
      for ring in SampleRing.allCases { ids.insert(UUIDv5.sample(uid: uid, ring: ring, minute: SensorMinute(minute))) }
    }
    #expect(ids.count == 4_000)
  }
}

// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import Testing

@Suite("Read plans")
struct ReadPlanTests {
  @Test("header, body and footer take fifteen requests, none of which crosses a border")
  func wholeMemory() {
    let frames = ReadPlan(sections: [0..<3, 3..<40, 40..<43]).requests.map(\.frame)
    let first: [UInt8] = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 40]
    #expect(frames.map { $0[2] } == first)
    #expect(frames.map { $0[3] + 1 } == [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 3])
    #expect(frames.allSatisfy { $0.prefix(2) == [0x02, 0x23] })
  }

  @Test("every block of a section is asked for once")
  func coverage() {
    for section in [0..<0, 0..<1, 5..<7, 250..<256, 0..<244] {
      let asked = ReadPlan(sections: [section]).requests.flatMap(\.blockByBlock).compactMap(\.firstBlock)
      #expect(asked == Array(section))
    }
  }

  @Test("block numbers that do not exist are left out")
  func outside() {
    #expect(ReadPlan(sections: [254..<300]).requests.map(\.frame) == [[0x02, 0x23, 254, 1]])
    #expect(ReadPlan(sections: [-3..<1]).requests.map(\.frame) == [[0x02, 0x23, 0, 0]])
    #expect(ReadPlan(sections: [300..<400, -9 ..< -1]).requests.isEmpty)
  }
}

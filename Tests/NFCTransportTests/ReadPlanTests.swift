// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import Testing

@Suite("Read plans")
struct ReadPlanTests {
  private let wholeMemory = [0..<3, 3..<40, 40..<43]

  @Test("header, body and footer take fifteen requests, none of which crosses a section border")
  func requests() {
    let frames = ReadPlan(sections: wholeMemory).requests.map(\.frame)
    let runs: [[UInt8]] = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36].map { [0x02, 0x23, $0, 2] }
    #expect(frames == runs + [[0x02, 0x20, 39], [0x02, 0x23, 40, 2]])
  }

  @Test("every block of a section is requested once, in runs that are never empty or longer than a sensor can send")
  func coverage() {
    for maximumRun in [-1, 0, 1, 2, 3, 4, 255] {
      for section in [0..<0, 0..<1, 5..<7, 250..<256, 0..<244] {
        let plan = ReadPlan(sections: [section], maximumRun: maximumRun)
        #expect(plan.requests.flatMap { Array($0.blocks ?? 0..<0) } == Array(section))
        #expect(plan.requests.allSatisfy { 1...max(1, min(3, maximumRun)) ~= $0.blocks?.count ?? 0 })
        #expect(plan.next == plan.requests.first)
      }
    }
  }

  @Test(
    "numbers that do not exist are left out; blocks above 255 are requested with custom commands, in runs of their own",
    arguments: [
      ([254..<300], 3, nil, [[0x02, 0x23, 254, 1]]), ([-3..<1], 3, nil, [[0x02, 0x20, 0]]),
      ([300..<400, -9 ..< -1], 3, nil, []), ([255..<300, 256..<257], 3, nil, [[0x02, 0x20, 255]]),
      ([253..<260], 3, .abbott, [[0x02, 0x23, 253, 2], [0x02, 0xB3, 0x7A, 0, 1, 2], [0x02, 0xB0, 0x7A, 3, 1]]),
      ([254..<258], 3, .texasInstruments, [[0x02, 0x23, 254, 1], [0x02, 0xB3, 0x07, 0, 1, 1]]),
      (
        [254..<258], 1, .texasInstruments,
        [[0x02, 0x20, 254], [0x02, 0x20, 255], [0x02, 0xB0, 0x07, 0, 1], [0x02, 0xB0, 0x07, 1, 1]]
      ),
      ([65_534..<70_000], 3, .abbott, [[0x02, 0xB3, 0x7A, 0xFE, 0xFF, 1]]),
    ] as [([Range<Int>], Int, ISO15693.Manufacturer?, [[UInt8]])])
  func wide(sections: [Range<Int>], maximumRun: Int, manufacturer: ISO15693.Manufacturer?, frames: [[UInt8]]) {
    let plan = ReadPlan(sections: sections, maximumRun: maximumRun, manufacturer: manufacturer)
    #expect(plan.requests.map(\.frame) == frames)
  }

  @Test("blocks that were read are not requested again")
  func removal() {
    var plan = ReadPlan(sections: wholeMemory)
    plan.remove(0..<3)
    #expect(plan.sections == [3..<40, 40..<43])
    plan.remove(10..<41)
    #expect(plan.sections == [3..<10, 41..<43])
    #expect(plan.requests.map(\.frame) == [[2, 0x23, 3, 2], [2, 0x23, 6, 2], [2, 0x20, 9], [2, 0x23, 41, 1]])
    plan.remove(0..<256)
    #expect(plan.next == nil)
    plan.add([7..<8, 5..<5])
    #expect(plan.sections == [7..<8])
    var rest = ReadPlan(sections: [250..<1_030], manufacturer: .abbott)
    rest.remove(300 ..< .max)
    #expect(rest.sections == [250..<300])
    rest.remove(.min..<290)
    #expect(rest.sections == [290..<300])
  }

  @Test("after a refused run, the rest is requested in shorter runs")
  func refusal() {
    var plan = ReadPlan(sections: wholeMemory)
    plan.remove(0..<3)
    for (length, count) in [(3, 19 + 2), (2, 40), (1, 40)] {
      plan.refuse(runOf: length)
      #expect(plan.requests.count == count && plan.maximumRun == max(1, length - 1))
    }
    plan.add([0..<3])
    #expect(plan.requests.count == 43)
    var short = ReadPlan(sections: [0..<2, 5..<9])
    for length in [2, 3] {
      short.refuse(runOf: length)
      #expect(short.maximumRun == 1)
    }
  }
}

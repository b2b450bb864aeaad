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

  @Test("a run is never empty and never longer than a sensor can send", arguments: [-1, 0, 1, 3, 4, 255])
  func runLimits(length: Int) {
    let plan = ReadPlan(sections: [0..<9], maximumRun: length)
    #expect(plan.requests.count == (length > 1 ? 3 : 9))
  }

  @Test("every block of a section is requested once", arguments: [1, 2, 3])
  func coverage(maximumRun: Int) {
    for section in [0..<0, 0..<1, 5..<7, 250..<256, 0..<244] {
      let plan = ReadPlan(sections: [section], maximumRun: maximumRun)
      #expect(plan.requests.flatMap { Array($0.blocks ?? 0..<0) } == Array(section))
      #expect(plan.next == plan.requests.first)
    }
  }

  @Test("block numbers that do not exist are left out")
  func outside() {
    #expect(ReadPlan(sections: [254..<300]).requests.map(\.frame) == [[0x02, 0x23, 254, 1]])
    #expect(ReadPlan(sections: [-3..<1]).requests.map(\.frame) == [[0x02, 0x20, 0]])
    #expect(ReadPlan(sections: [300..<400, -9 ..< -1]).requests.isEmpty)
  }

  @Test("blocks above 255 are requested with custom commands, in runs that do not begin below")
  func wide() {
    let plan = ReadPlan(sections: [253..<260], manufacturer: .abbott)
    #expect(
      plan.requests.map(\.frame) == [
        [0x02, 0x23, 253, 2], [0x02, 0xB3, 0x7A, 0, 1, 2], [0x02, 0xB0, 0x7A, 3, 1],
      ])
    #expect(
      ReadPlan(sections: [254..<258], manufacturer: .texasInstruments).requests.map(\.frame) == [
        [0x02, 0x23, 254, 1], [0x02, 0xB3, 0x07, 0, 1, 1],
      ])
    #expect(
      ReadPlan(sections: [254..<258], maximumRun: 1, manufacturer: .texasInstruments).requests.map(\.frame) == [
        [0x02, 0x20, 254], [0x02, 0x20, 255], [0x02, 0xB0, 0x07, 0, 1], [0x02, 0xB0, 0x07, 1, 1],
      ])
  }

  @Test("without a manufacturer no custom command is sent, and no number exceeds 16 bits")
  func wideLimits() {
    #expect(ReadPlan(sections: [255..<300, 256..<257]).requests.map(\.frame) == [[0x02, 0x20, 255]])
    let plan = ReadPlan(sections: [65_534..<70_000], manufacturer: .abbott)
    #expect(plan.requests.map(\.frame) == [[0x02, 0xB3, 0x7A, 0xFE, 0xFF, 1]])
    var rest = ReadPlan(sections: [250..<1_030], manufacturer: .abbott)
    rest.remove(300 ..< .max)
    #expect(rest.sections == [250..<300])
    rest.remove(.min..<290)
    #expect(rest.sections == [290..<300])
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
  }

  @Test("after a refused run, the rest is requested in shorter runs")
  func refusal() {
    var plan = ReadPlan(sections: wholeMemory)
    plan.remove(0..<3)
    plan.refuse(runOf: 3)
    #expect(plan.maximumRun == 2)
    #expect(plan.requests.count == 19 + 2)
    plan.refuse(runOf: 2)
    #expect(plan.requests.count == 40)
    plan.refuse(runOf: 1)
    #expect(plan.requests.count == 40)
    plan.add([0..<3])
    #expect(plan.requests.count == 43)
    var short = ReadPlan(sections: [0..<2, 5..<9])
    short.refuse(runOf: 2)
    #expect(short.maximumRun == 1)
    short.refuse(runOf: 3)
    #expect(short.maximumRun == 1)
  }
}

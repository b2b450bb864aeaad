// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

@Suite("The choice of a dump in a file")
struct DumpChoiceTests {
  private let conflict = DumpError.conflictingBlocks(block: 3, lines: [4, 9])

  /// A memory with three good checksums, another one for every number.
  private func memory(_ number: UInt8) -> Dump {
    var memory = MemoryBuilder.pattern()
    memory.bytes[100] = number
    memory.seal([.body])
    return Dump(image: MemoryImage(bytes: memory.bytes), label: "memory \(number)", line: Int(number))
  }

  /// What has no good checksum: an encrypted memory, a log of commands.
  private func noise(_ number: UInt8) -> Dump {
    Dump(image: MemoryImage(bytes: Array(repeating: number, count: 344)), label: nil, line: Int(number))
  }

  private func choose(
    _ choice: DumpChoice, _ elements: [DumpSequence.Element]
  ) throws(DumpError) -> (dump: Dump, number: Int) {
    try choice.dump(in: DumpSequence(elements))
  }

  // MARK: The only one

  @Test("the only one is taken, with a good checksum or without")
  func only() throws {
    #expect(try choose(.only, [.success(memory(1))]) == (memory(1), 1))
    #expect(try choose(.only, [.success(noise(1))]) == (noise(1), 1))
  }

  @Test("copies of one memory are one: the first")
  func copies() throws {
    var copy = memory(1)
    copy.label = "once more"
    copy.line = 99
    #expect(try choose(.only, [.success(memory(1)), .success(copy)]) == (memory(1), 1))
    #expect(try choose(.only, [.success(noise(1)), .success(noise(1))]) == (noise(1), 1))
  }

  @Test("what has no good checksum steps back behind what has, before and after it")
  func sound() throws {
    let elements = [noise(1), memory(2), noise(3), memory(2)].map(DumpSequence.Element.success)
    #expect(try choose(.only, elements) == (memory(2), 2))
  }

  @Test("one that cannot be read could be the one that is meant: a sound one beside it is not chosen silently")
  func damaged() throws {
    let listed = [DumpError.Found(number: 2, label: "memory 2", line: 2, goodChecksums: 3)]
    #expect(throws: DumpError.severalDumps(2, listed: listed)) {
      try choose(.only, [.failure(conflict), .success(memory(2))])
    }
    #expect(throws: conflict) { try choose(.only, [.success(noise(1)), .failure(conflict)]) }
    #expect(throws: conflict) { try choose(.only, [.failure(conflict), .failure(.noMemory)]) }
  }

  @Test("several are listed with number, label, line and good checksums: those that have one, if any has")
  func several() {
    let elements = [noise(9), memory(2), memory(3)].map(DumpSequence.Element.success)
    let listed: [DumpError.Found] = [
      .init(number: 2, label: "memory 2", line: 2, goodChecksums: 3),
      .init(number: 3, label: "memory 3", line: 3, goodChecksums: 3),
    ]
    #expect(throws: DumpError.severalDumps(3, listed: listed)) { try choose(.only, elements) }
    let poor = [noise(8), noise(9)].map(DumpSequence.Element.success)
    let all: [DumpError.Found] = [
      .init(number: 1, label: nil, line: 8, goodChecksums: 0), .init(number: 2, label: nil, line: 9, goodChecksums: 0),
    ]
    #expect(throws: DumpError.severalDumps(2, listed: all)) { try choose(.only, poor) }
  }

  @Test("of many, ten are listed, and a file of months of scans is not counted to its end")
  func many() {
    var produced = 0
    let endless = DumpSequence {
      produced += 1
      return .success(noise(UInt8(truncatingIfNeeded: produced)))
    }
    let error = #expect(throws: DumpError.self) { try DumpChoice.only.dump(in: endless) }
    guard case .severalDumps(nil, let listed) = error else {
      Issue.record("\(String(describing: error)) instead of severalDumps without a count")
      return
    }
    #expect(listed.map(\.number) == Array(1...10))
    #expect(produced < 110)
  }

  @Test("none is no memory")
  func none() {
    #expect(throws: DumpError.noMemory) { try choose(.only, []) }
    #expect(throws: DumpError.noMemory) { try choose(.number(1), []) }
  }

  // MARK: By its number

  @Test("a number counts every dump of the file from 1: copies, poor ones and damaged ones too")
  func number() throws {
    let elements: [DumpSequence.Element] = [
      .success(noise(1)), .success(memory(2)), .failure(conflict), .success(memory(2)), .success(memory(5)),
    ]
    #expect(try choose(.number(1), elements) == (noise(1), 1))
    #expect(try choose(.number(4), elements) == (memory(2), 4))
    #expect(try choose(.number(5), elements) == (memory(5), 5))
    #expect(throws: conflict) { try choose(.number(3), elements) }
  }

  @Test("a number that is not there is told with how many there are", arguments: [-1, 0, 3, Int.max])
  func noSuchNumber(number: Int) {
    let elements = [noise(1), noise(2)].map(DumpSequence.Element.success)
    #expect(throws: DumpError.noSuchDump(number, count: 2)) { try choose(.number(number), elements) }
  }

  @Test("nothing is read behind the dump that was asked for")
  func notBehind() throws {
    var produced = 0
    let endless = DumpSequence {
      produced += 1
      return .success(noise(UInt8(truncatingIfNeeded: produced)))
    }
    #expect(try DumpChoice.number(3).dump(in: endless).number == 3)
    #expect(produced == 3)
  }
}

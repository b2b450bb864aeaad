// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

@Suite("Choice of one dump in a file")
struct DumpChoiceTests {
  private let conflict = DumpError.conflictingBlocks(block: 3, lines: [4, 9])

  /// A memory with three valid checksums; every number gives a different one.
  private func memory(_ number: UInt8) -> Dump {
    var memory = MemoryBuilder.pattern()
    memory.bytes[100] = number
    memory.seal([.body])
    return Dump(image: MemoryImage(bytes: memory.bytes), label: "memory \(number)", line: Int(number))
  }

  /// Dumps without a valid checksum: an encrypted memory, a log of commands.
  private func noise(_ number: UInt8) -> Dump {
    Dump(image: MemoryImage(bytes: Array(repeating: number, count: 344)), label: nil, line: Int(number))
  }

  private func choose(
    _ choice: DumpChoice, _ elements: [DumpSequence.Element]
  ) throws(DumpError) -> (dump: Dump, number: Int) {
    try choice.dump(in: DumpSequence(elements))
  }

  @Test("the only dump is chosen, with or without valid checksums")
  func only() throws {
    #expect(try choose(.only, [.success(memory(1))]) == (memory(1), 1))
    #expect(try choose(.only, [.success(noise(1))]) == (noise(1), 1))
  }

  @Test("of equal copies of one memory the first is chosen")
  func copies() throws {
    var copy = memory(1)
    copy.label = "once more"
    copy.line = 99
    #expect(try choose(.only, [.success(memory(1)), .success(copy)]) == (memory(1), 1))
    #expect(try choose(.only, [.success(noise(1)), .success(noise(1))]) == (noise(1), 1))
  }

  @Test("a dump with a valid checksum is preferred to dumps without one, before and after it")
  func sound() throws {
    let elements = [noise(1), memory(2), noise(3), memory(2)].map(DumpSequence.Element.success)
    #expect(try choose(.only, elements) == (memory(2), 2))
  }

  @Test("a valid dump is not chosen silently if another dump could not be read")
  func damaged() throws {
    let listed = [DumpError.Found(number: 2, label: "memory 2", line: 2, goodChecksums: 3)]
    #expect(throws: DumpError.severalDumps(2, listed: listed)) {
      try choose(.only, [.failure(conflict), .success(memory(2))])
    }
    #expect(throws: conflict) { try choose(.only, [.success(noise(1)), .failure(conflict)]) }
    #expect(throws: conflict) { try choose(.only, [.failure(conflict), .failure(.noMemory)]) }
  }

  @Test("several dumps are listed with number, label, line and valid checksums, preferring those that have one")
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

  @Test("only ten of many dumps are listed, and a very long file is not counted to its end")
  func many() {
    var produced = 0
    let endless = DumpSequence {
      produced += 1
      return .success(noise(UInt8(truncatingIfNeeded: produced)))
    }
    let error = #expect(throws: DumpError.self) { try DumpChoice.only.dump(in: endless) }
    guard case .severalDumps(nil, let listed, _) = error else {
      Issue.record("\(String(describing: error)) instead of severalDumps without a count")
      return
    }
    #expect(listed.map(\.number) == Array(1...10))
    #expect(produced < 110)
  }

  @Test("a file without dumps is refused")
  func none() {
    #expect(throws: DumpError.noMemory) { try choose(.only, []) }
    #expect(throws: DumpError.noMemory) { try choose(.number(1), []) }
  }

  @Test("numbers count every dump from 1, including copies, damaged dumps and dumps without a valid checksum")
  func number() throws {
    let elements: [DumpSequence.Element] = [
      .success(noise(1)), .success(memory(2)), .failure(conflict), .success(memory(2)), .success(memory(5)),
    ]
    #expect(try choose(.number(1), elements) == (noise(1), 1))
    #expect(try choose(.number(4), elements) == (memory(2), 4))
    #expect(try choose(.number(5), elements) == (memory(5), 5))
    #expect(throws: conflict) { try choose(.number(3), elements) }
  }

  @Test("the error for an invalid number reports how many dumps there are", arguments: [-1, 0, 3, Int.max])
  func noSuchNumber(number: Int) {
    let elements = [noise(1), noise(2)].map(DumpSequence.Element.success)
    #expect(throws: DumpError.noSuchDump(number, count: 2)) { try choose(.number(number), elements) }
  }

  @Test("nothing after the requested dump is read")
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

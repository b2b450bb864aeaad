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

  @Test("the only dump is chosen, of equal copies the first, and one with a valid checksum before those without one")
  func only() throws {
    var copy = memory(1)
    (copy.label, copy.line) = ("once more", 99)
    for (dumps, chosen, number) in [
      ([memory(1)], memory(1), 1), ([noise(1)], noise(1), 1), ([memory(1), copy], memory(1), 1),
      ([noise(1), noise(1)], noise(1), 1), ([noise(1), memory(2), noise(3), memory(2)], memory(2), 2),
    ] {
      #expect(try choose(.only, dumps.map(DumpSequence.Element.success)) == (chosen, number))
    }
    for choice in [DumpChoice.only, .number(1)] {
      #expect(throws: DumpError.noMemory) { try choose(choice, []) }
    }
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
    func found(_ number: Int, _ label: String?, line: Int, _ checksums: Int) -> DumpError.Found {
      .init(number: number, label: label, line: line, goodChecksums: checksums)
    }
    for (dumps, listed) in [
      ([noise(9), memory(2), memory(3)], [found(2, "memory 2", line: 2, 3), found(3, "memory 3", line: 3, 3)]),
      ([noise(8), noise(9)], [found(1, nil, line: 8, 0), found(2, nil, line: 9, 0)]),
    ] {
      #expect(throws: DumpError.severalDumps(dumps.count, listed: listed)) {
        try choose(.only, dumps.map(DumpSequence.Element.success))
      }
    }
  }

  @Test(
    "only ten of many dumps are listed, a long file is not counted to its end, and nothing after the choice is read"
  )
  func many() throws {
    var produced = 0
    let dumps = endless { produced += 1 }
    let error = #expect(throws: DumpError.self) { try DumpChoice.only.dump(in: dumps) }
    guard case .severalDumps(nil, let listed, _) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(listed.map(\.number) == Array(1...10) && produced < 110)
    produced = 0
    #expect(try DumpChoice.number(3).dump(in: endless { produced += 1 }).number == 3)
    #expect(produced == 3)
  }

  /// Dumps without end, all of them different.
  private func endless(_ produce: @escaping () -> Void) -> DumpSequence {
    var number: UInt8 = 0
    return DumpSequence {
      produce()
      number &+= 1
      return .success(noise(number))
    }
  }

  @Test(
    "numbers count every dump from 1, including copies and damaged ones; the error for an invalid one has the count")
  func number() throws {
    let elements: [DumpSequence.Element] = [
      .success(noise(1)), .success(memory(2)), .failure(conflict), .success(memory(2)), .success(memory(5)),
    ]
    #expect(try choose(.number(1), elements) == (noise(1), 1))
    #expect(try choose(.number(4), elements) == (memory(2), 4))
    #expect(try choose(.number(5), elements) == (memory(5), 5))
    #expect(throws: conflict) { try choose(.number(3), elements) }
    for number in [-1, 0, 6, Int.max] {
      #expect(throws: DumpError.noSuchDump(number, count: 5)) { try choose(.number(number), elements) }
    }
  }
}

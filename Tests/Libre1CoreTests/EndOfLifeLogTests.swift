// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct EndOfLifeLogTests {
  @Test("a sensor that ended normally left the active state at its maximum life and the expired one 720 minutes later")
  func normalEnd() throws {
    var fixture = MemoryBuilder(state: 5, age: 21_420)
    fixture.setEndOfLife([(3, 20_700), (4, 21_420)])
    let memory = try fixture.sealed().validated()
    #expect(
      memory.endOfLife == [
        EndOfLifeEntry(leftState: .active, minute: SensorMinute(20_700)),
        EndOfLifeEntry(leftState: .expired, minute: SensorMinute(21_420)),
      ])
    #expect(memory.failure == nil)
  }

  @Test("the count in the header, not the bytes, gives the number of entries, at most six even if it is seven")
  func count() throws {
    var fixture = MemoryBuilder(state: 5)
    fixture.setEndOfLife((1...6).map { (UInt8($0), $0 * 1_000) })
    for (count, entries) in [(0, 0), (1, 1), (6, 6), (7, 6)] as [(UInt8, Int)] {
      fixture.bytes[3] = fixture.bytes[3] & 0x1F | count << 5
      let log = try fixture.sealed().validated().endOfLife
      #expect(log.map(\.minute.value) == (0..<entries).map { 1_000 * ($0 + 1) })
    }
  }

  @Test("in state 6 the first entry is the failure, code first, even if the count is 0, and there is no log")
  func failure() throws {
    var fixture = MemoryBuilder(state: 6, age: 4_001)
    for count in [1, 0] as [UInt8] {
      fixture.setEndOfLife([(0x0C, 4_000)])
      fixture.bytes[3] = fixture.bytes[3] & 0x1F | count << 5
      let memory = try fixture.sealed().validated()
      #expect(memory.state == .failure && memory.endOfLife.isEmpty)
      #expect(memory.failure == SensorFailure(code: 12, minute: SensorMinute(4_000)))
      #expect(memory.failure?.text == "FRAM header CRC")
    }
  }

  @Test("an untrusted header gives neither log nor failure", arguments: [5, 6])
  func badHeader(state: UInt8) throws {
    var fixture = MemoryBuilder(state: state)
    fixture.setEndOfLife([(3, 20_700)])
    fixture.seal()
    fixture.breakChecksum(of: .header)
    let memory = try fixture.validated()
    #expect(memory.endOfLife.isEmpty)
    #expect(memory.failure == nil)
    #expect(memory.state == .unknown(nil))
  }
}

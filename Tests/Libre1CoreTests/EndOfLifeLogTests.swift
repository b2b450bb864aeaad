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

  @Test("the count in the header, not the bytes, gives the number of entries")
  func count() throws {
    var fixture = MemoryBuilder(state: 5)
    fixture.setEndOfLife([(3, 20_700), (4, 21_420)])
    fixture.bytes[3] = fixture.bytes[3] & 0x1F
    #expect(try fixture.sealed().validated().endOfLife.isEmpty)
    fixture.bytes[3] |= 1 << 5
    #expect(try fixture.sealed().validated().endOfLife.map(\.minute.value) == [20_700])
  }

  @Test("the log has at most six entries, even if the count is seven")
  func capacity() throws {
    var fixture = MemoryBuilder(state: 5)
    fixture.setEndOfLife((1...6).map { (UInt8($0), $0 * 1_000) })
    #expect(
      try fixture.sealed().validated().endOfLife.map(\.minute.value) == [1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
    fixture.bytes[3] |= 7 << 5
    #expect(try fixture.sealed().validated().endOfLife.count == 6)
  }

  @Test("in state 6 the first entry is the failure, code first, and there is no log")
  func failure() throws {
    var fixture = MemoryBuilder(state: 6, age: 4_001)
    fixture.setEndOfLife([(0x0C, 4_000)])
    let memory = try fixture.sealed().validated()
    #expect(memory.state == .failure)
    #expect(memory.failure == SensorFailure(code: 12, minute: SensorMinute(4_000)))
    #expect(memory.failure?.text == "FRAM header CRC")
    #expect(memory.endOfLife.isEmpty)
  }

  @Test("a failure is read even if the count is 0, because no example is known")
  func failureWithoutCount() throws {
    var fixture = MemoryBuilder(state: 6, age: 4_001)
    fixture.bytes.replaceSubrange(6..<9, with: [0x28, 0xA0, 0x0F])
    #expect(try fixture.sealed().validated().failure == SensorFailure(code: 0x28, minute: SensorMinute(4_000)))
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

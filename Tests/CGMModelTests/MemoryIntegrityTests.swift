// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct MemoryIntegrityTests {
  @Test("the verdicts have the words of the contract, and only ok and torn can be trusted")
  func words() {
    let bad = RegionVerdict.bad(stored: 0xC262, computed: 0x1F3A)
    let absent = RegionVerdict.absent(BlockSet([42]))
    #expect([RegionVerdict.ok, .torn, bad, absent].map(\.name) == ["ok", "torn", "bad", "absent"])
    #expect([RegionVerdict.ok, .torn, bad, absent].map(\.isTrusted) == [true, true, false, false])
  }
}

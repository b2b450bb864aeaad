// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorStateTests {
  @Test(
    "the state byte has the words of the contract",
    arguments: [
      (1, "not_activated"), (2, "warming_up"), (3, "active"), (4, "expired"), (5, "shutdown"), (6, "failure"),
      (0, "unknown"), (7, "unknown"), (255, "unknown"),
    ] as [(UInt8, String)])
  func words(raw: UInt8, word: String) {
    #expect(SensorState(raw).name == word)
  }

  @Test("every byte value is kept")
  func everyByte() {
    for raw in UInt8.min...UInt8.max { #expect(SensorState(raw).raw == raw) }
  }

  @Test("an untrusted state has no byte and differs from an undocumented state")
  func untrusted() {
    #expect(SensorState.unknown(nil).raw == nil)
    #expect(SensorState.unknown(nil).name == "unknown")
    #expect(SensorState.unknown(nil) != SensorState(9))
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorStateTests {
  @Test(
    "the state byte has the contract's words",
    arguments: [
      (1, "not_activated"), (2, "warming_up"), (3, "active"), (4, "expired"), (5, "shutdown"), (6, "failure"),
      (0, "unknown"), (7, "unknown"), (255, "unknown"),
    ] as [(UInt8, String)])
  func words(raw: UInt8, word: String) {
    #expect(SensorState(raw).name == word)
  }

  @Test("no byte is lost, whatever its value")
  func everyByte() {
    for raw in UInt8.min...UInt8.max { #expect(SensorState(raw).raw == raw) }
  }

  @Test("a state that could not be trusted has no byte and is not the same as an undescribed one")
  func untrusted() {
    #expect(SensorState.unknown(nil).raw == nil)
    #expect(SensorState.unknown(nil).name == "unknown")
    #expect(SensorState.unknown(nil) != SensorState(9))
  }
}

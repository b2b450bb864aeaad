// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

struct LibreAlarmDumpTests {
  private func message(_ numbers: String) -> String {
    "{\"id\":1,\"data\":{\"raw_data\":[\(numbers)],\"history\":[{}]}}"
  }

  @Test("reads signed bytes")
  func signed() throws {
    #expect(try LibreAlarmDump().onlyImage(in: message("58,-49,0,-1,-128,127")).bytes == [58, 207, 0, 255, 128, 127])
    let memory = TextFixture.memory + Array(repeating: 0, count: 16)
    #expect(
      try LibreAlarmDump().onlyImage(in: message(TextFixture.signed(memory).joined(separator: ","))).bytes == memory)
  }

  @Test("reads an array of messages and one message on each line, and ignores failed readings")
  func several() throws {
    let messages = [message("1,2"), "{\"id\":2,\"data\":{\"trend\":[]}}", "{\"id\":3}", message("3,4")]
    for text in ["[" + messages.joined(separator: ",\n") + "]", messages.joined(separator: "\n")] {
      #expect(
        try LibreAlarmDump().results(text) == [
          .success(Dump(image: MemoryImage(bytes: [1, 2]), line: 1)),
          .success(Dump(image: MemoryImage(bytes: [3, 4]), line: 4)),
        ])
    }
  }

  @Test("reports a number that does not fit in a byte, and an impossible memory length")
  func failures() throws {
    #expect(
      try LibreAlarmDump().results(message("1,2,256")) == [.failure(.badField("data.raw_data[2]", value: "256"))])
    #expect(
      try LibreAlarmDump().results(message("1,-129")) == [.failure(.badField("data.raw_data[1]", value: "-129"))])
    #expect(try LibreAlarmDump().results(message("")) == [.failure(.noMemory)])
    #expect(try LibreAlarmDump().results(message("1,\"2\"")) == [.failure(.badField("data.raw_data[1]", value: nil))])
    let long = Array(repeating: "1", count: 345).joined(separator: ",")
    #expect(try LibreAlarmDump().results(message(long)) == [.failure(.wrongLength(found: 345))])
  }
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HostSystem

@Suite(.startsProcesses) struct ChildProcessTests {
  @Test("input and output of any size are transferred")
  func streams() {
    let input = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let outcome = ChildProcess.run(["cat"], environment: [:], input: input)
    #expect(outcome.status == 0 && outcome.output == input)
    #expect(ChildProcess.run(["cat"], environment: [:]).output.isEmpty)
  }

  @Test("the process has only the given environment")
  func environment() {
    let outcome = ChildProcess.run(["env"], environment: ["ONE": "1"])
    #expect(outcome.output == Array("ONE=1\n".utf8))
  }

  @Test(
    "the exit status is that of a shell: 128 and more for a signal",
    arguments: [("exit 3", 3), ("kill -9 $$", 137), ("true", 0)])
  func status(script: String, expected: Int) {
    #expect(ChildProcess.run(["sh", "-c", script], environment: [:]).status == expected)
  }

  @Test("a missing program gives status 127, and an empty command gives 126")
  func missing() {
    #expect(ChildProcess.run(["libre-no-such-program"], environment: [:]).status == 127)
    #expect(ChildProcess.run([], environment: [:]).status == 126)
  }

  @Test("a program that writes more than the limit ends by the closed pipe")
  func enough() {
    let outcome = ChildProcess.run(["sh", "-c", "while echo y; do :; done"], environment: [:]) { byte, output in
      output.append(byte)
      return output.count < 4
    }
    #expect(outcome.output == Array("y\ny\n".utf8))
  }
}

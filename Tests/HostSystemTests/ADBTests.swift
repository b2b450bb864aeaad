// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HostSystem

@Suite("Android's adb")
struct ADBTests {
  /// Answers of adb, with the words that a user gets; nil if the phone can be used.
  private static let answers: [(devices: String, status: Int, words: (reason: String, remedy: String)?)] = [
    (list + "29031FDH2001AB\tdevice\n\n", 0, nil),
    ("* daemon not running; starting now at tcp:5037\n* daemon started successfully\n" + list + "A\tdevice\n", 0, nil),
    ("", 127, ("adb is not installed", "sudo apt install adb")),
    ("", 1, ("adb fails with status 1", "run adb devices, which says why")),
    (
      list + "\n", 0,
      (
        "adb sees no phone",
        "connect it by its USB cable, and switch on USB debugging in its developer options, which appear once you have "
          + "tapped the build number in its settings seven times"
      )
    ),
    (
      list + "A\tunauthorized\n", 0,
      ("the phone has not allowed this computer", "unlock the phone and allow USB debugging when it asks")
    ),
    (list + "A\toffline\n", 0, ("the phone is not ready: adb calls it offline", replug)),
    (list + "A\trecovery\n", 0, ("the phone is not ready: adb calls it recovery", replug)),
    (
      list + "A\tno permissions (missing udev rules?); see [http://d.android.com]\n", 0,
      (
        "you may not use the phone's USB port",
        "sudo apt install android-sdk-platform-tools-common, then plug it in again"
      )
    ),
    (
      list + "A\tdevice\nB\tunauthorized\n", 0,
      ("adb sees 2 phones", "unplug all but one, or name one: export ANDROID_SERIAL=A")
    ),
  ]
  private static let list = "List of devices attached\n"
  private static let replug = "unplug it, plug it in again and unlock it"

  /// Expects this answer of adb to keep a phone from being used for a reason, or for none.
  private func expect(
    _ words: (reason: String, remedy: String)?, of devices: String, status: Int = 0, chosen: String? = nil
  ) {
    var fault: ADB.Fault?
    do throws(ADB.Fault) { try ADB.check(Array(devices.utf8), status: status, chosen: chosen) } catch { fault = error }
    #expect(fault?.reason == words?.reason && fault?.remedy == words?.remedy, "\(devices)")
  }

  @Test("says what keeps a phone from being used, and the way out; takes the phone that ANDROID_SERIAL names")
  func adb() {
    for (devices, status, words) in Self.answers { expect(words, of: devices, status: status) }
    let two = Self.list + "A\tdevice\nB\tdevice\n"
    expect(nil, of: two, chosen: "B")
    let other = "adb sees no phone with the serial number C of ANDROID_SERIAL"
    expect((other, "connect that one, or take any: unset ANDROID_SERIAL"), of: two, chosen: "C")
  }
}

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
    #expect(ChildProcess.run(["env"], environment: ["ONE": "1"]).output == Array("ONE=1\n".utf8))
  }

  @Test(
    "the exit status is that of a shell: 128 and more for a signal, 127 for a missing program, 126 for none",
    arguments: [
      (["sh", "-c", "exit 3"], 3), (["sh", "-c", "kill -9 $$"], 137), (["true"], 0), (["libre-no-such-program"], 127),
      ([], 126),
    ] as [([String], Int)])
  func status(command: [String], expected: Int) {
    #expect(ChildProcess.run(command, environment: [:]).status == expected)
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

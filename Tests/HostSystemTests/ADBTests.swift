// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HostSystem

@Suite("Android's adb")
struct ADBTests {
  /// Answers of adb, with the words that a user gets; nil if the phone can be used.
  private static let answers: [(output: String, status: Int, reason: String?)] = [
    ("List of devices attached\n29031FDH2001AB\tdevice\n\n", 0, nil),
    (
      "* daemon not running; starting now at tcp:5037\n* daemon started successfully\nList of devices attached\nA\tdevice\n",
      0, nil
    ),
    ("", 127, "adb is not installed"),
    ("", 1, "adb fails with status 1"),
    ("List of devices attached\n\n", 0, "adb sees no phone"),
    ("List of devices attached\nA\tunauthorized\n", 0, "the phone has not allowed this computer"),
    ("List of devices attached\nA\toffline\n", 0, "the phone is not ready: adb calls it offline"),
    (
      "List of devices attached\nA\tno permissions (missing udev rules?); see [http://d.android.com]\n", 0,
      "you may not use the phone's USB port"
    ),
    ("List of devices attached\nA\tdevice\nB\tunauthorized\n", 0, "adb sees 2 phones"),
  ]

  @Test("says what keeps a phone from being used, and the way out", arguments: answers.indices)
  func adb(index: Int) throws {
    let (output, status, reason) = Self.answers[index]
    let bytes = Array(output.utf8)
    guard let reason else { return try ADB.check(bytes, status: status, chosen: nil) }
    do throws(ADB.Fault) {
      try ADB.check(bytes, status: status, chosen: nil)
      Issue.record("it must be refused")
    } catch {
      #expect(error.reason == reason && !error.remedy.isEmpty)
    }
  }

  @Test("takes the phone that ANDROID_SERIAL names")
  func chosen() throws {
    let two = Array("List\nA\tdevice\nB\tdevice\n".utf8)
    try ADB.check(two, status: 0, chosen: "B")
    do throws(ADB.Fault) {
      try ADB.check(two, status: 0, chosen: "C")
      Issue.record("it is not there")
    } catch {
      #expect(error.reason == "adb sees no phone with the serial number C of ANDROID_SERIAL")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
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

  private func check(_ devices: String, status: Int = 0, chosen: String? = nil) -> ADB.Fault? {
    do throws(ADB.Fault) {
      try ADB.check(Array(devices.utf8), status: status, chosen: chosen)
      return nil
    } catch {
      return error
    }
  }

  @Test("says what keeps a phone from being used, and the way out", arguments: answers.indices)
  func adb(index: Int) {
    let (devices, status, words) = Self.answers[index]
    let fault = check(devices, status: status)
    #expect(fault?.reason == words?.reason && fault?.remedy == words?.remedy)
  }

  @Test("takes the phone that ANDROID_SERIAL names")
  func chosen() {
    let two = "List\nA\tdevice\nB\tdevice\n"
    #expect(check(two, chosen: "B") == nil)
    let fault = check(two, chosen: "C")
    #expect(fault?.reason == "adb sees no phone with the serial number C of ANDROID_SERIAL")
    #expect(fault?.remedy == "connect that one, or take any: unset ANDROID_SERIAL")
  }
}

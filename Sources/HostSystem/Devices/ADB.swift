// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// Android's adb over the USB cable, which leads a port of the phone to the same port of this machine. Of its commands
/// only `devices` and `reverse` can be expressed. Among several phones `ANDROID_SERIAL` in the environment chooses one.
package enum ADB {
  /// The reason why a phone cannot be used, and the way out.
  package struct Fault: Error, Hashable {
    package let reason: String
    package let remedy: String
  }

  package static func connect(_ port: UInt16) throws(Fault) {
    let devices = run("devices")
    try check(devices.output, status: devices.status, chosen: ChildProcess.inherited["ANDROID_SERIAL"])
    if run("reverse", "tcp:\(port)", "tcp:\(port)").status != 0 {
      throw unfit(
        "adb cannot lead port \(port) of the phone to this machine", "unplug the phone, plug it in again and unlock it")
    }
  }

  package static func disconnect(_ port: UInt16) { _ = run("reverse", "--remove", "tcp:\(port)") }

  private static func run(_ words: String...) -> ChildProcess.Outcome {
    ChildProcess.run(["adb"] + words, environment: ChildProcess.inherited, isSilent: true)
  }

  /// Throws unless exactly one phone is ready, by what `adb devices` says: a line for each, its serial number, a tab and
  /// its state.
  static func check(_ output: [UInt8], status: Int, chosen: String?) throws(Fault) {
    if status == 127 { throw unfit("adb is not installed", "sudo apt install adb") }
    if status != 0 { throw unfit("adb fails with status \(status)", "run adb devices, which says why") }
    let phones = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.split(separator: "\t", maxSplits: 1)
      return words.count == 2 ? (serial: String(words[0]), state: String(words[1])) : nil
    }.filter { $0.serial == chosen ?? $0.serial }
    guard let phone = phones.first else {
      if let chosen {
        throw unfit(
          "adb sees no phone with the serial number \(SafeText.excerpt(chosen)) of ANDROID_SERIAL",
          "connect that one, or take any: unset ANDROID_SERIAL")
      }
      throw unfit(
        "adb sees no phone",
        "connect it by its USB cable, and switch on USB debugging in its developer options, which appear once you have "
          + "tapped the build number in its settings seven times")
    }
    guard phones.count == 1 else {
      let choice = "ANDROID_SERIAL=\(SafeText.excerpt(phone.serial))"
      throw unfit("adb sees \(phones.count) phones", "unplug all but one, or name one: export \(choice)")
    }
    switch phone.state.split(separator: " ").first ?? "" {
    case "device": return
    case "unauthorized":
      throw unfit("the phone has not allowed this computer", "unlock the phone and allow USB debugging when it asks")
    case "no":
      throw unfit(
        "you may not use the phone's USB port",
        "sudo apt install android-sdk-platform-tools-common, then plug it in again")
    default:
      throw unfit(
        "the phone is not ready: adb calls it \(SafeText.excerpt(phone.state))",
        "unplug it, plug it in again and unlock it")
    }
  }

  private static func unfit(_ reason: String, _ remedy: String) -> Fault { Fault(reason: reason, remedy: remedy) }
}

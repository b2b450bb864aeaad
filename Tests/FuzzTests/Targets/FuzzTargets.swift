// SPDX-License-Identifier: Apache-2.0

/// Everything that is fuzzed. A new target is one file, or an element of one, and a line here.
enum FuzzTargets {
  static let all: [FuzzTarget] =
    MemoryTargets.all + PublishedTarget.all + ProTarget.all + EncryptedTarget.all + DumpTargets.all
    + TraceTarget.all + ResponseTarget.all + CardTarget.all + ProxmarkTarget.all
    + FlipperTarget.all + PhoneTarget.all + MeterTarget.all + ServerTarget.all + BrokerTarget.all
    + ConfigurationTarget.all + ImportTargets.all

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

  /// The target that a kept input is for: of those whose names the file's begins with, the one with the longest name.
  static func target(ofFile name: String) -> FuzzTarget? {
    all.filter { name.hasPrefix($0.name + "-") }.max { $0.name.count < $1.name.count }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The Debian packages that tests need.
enum Installed {
  /// CI has to have all of it: there a test fails that would be skipped elsewhere.
  static let isCI = ProcessInfo.processInfo.environment["CI"] == "true"

  static func has(_ programs: String...) -> Bool { has(programs) }

  static func has(_ programs: [String]) -> Bool {
    isCI || programs.allSatisfy(FileManager.default.isExecutableFile(atPath:))
  }
}

extension Trait where Self == ConditionTrait {
  static var needsMosquitto: Self {
    .enabled("mosquitto is not installed: apt-get install mosquitto mosquitto-clients") {
      Installed.has(MosquittoBroker.programs)
    }
  }
}

/// Seconds for what is answered as soon as the machine can: far more than even a busy machine needs.
let ampleSeconds = 300

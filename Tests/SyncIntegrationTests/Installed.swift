// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// What tests need of Debian's packages. In CI all of it has to be there.
extension Trait where Self == ConditionTrait {
  static var needsMosquitto: Self { needs("mosquitto", "mosquitto-clients", MosquittoBroker.isThere) }

  private static func needs(_ what: String, _ package: String, _ isThere: Bool) -> Self {
    .enabled("\(what) is not installed: apt-get install \(package)") {
      ProcessInfo.processInfo.environment["CI"] == "true" || isThere
    }
  }
}

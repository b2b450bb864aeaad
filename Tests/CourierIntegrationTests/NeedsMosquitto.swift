// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  static var needsMosquitto: Self {
    .enabled("mosquitto or mosquitto-clients is not installed") {
      ProcessInfo.processInfo.environment["CI"] == "true" || MosquittoBroker.isThere
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import SampleSync
import Synchronization
import TestSupport

@testable import LibreKit
@testable import SampleSync

/// Wraps a courier and fails in all possible ways: before anything is sent, or after it has arrived.
final class FaultyCourier: Courier {
  private struct State {
    var random: SplitMix64
    var faults: [String: Int] = [:]
  }

  private let courier: any Courier
  private let oneIn: Int
  private let state: Mutex<State>

  init(_ courier: any Courier, oneIn: Int, seed: UInt64) {
    self.courier = courier
    self.oneIn = oneIn
    state = Mutex(State(random: SplitMix64(seed: seed)))
  }

  /// Number of failures, by kind.
  var faults: [String: Int] { state.withLock { $0.faults } }

  private enum Fault: String, CaseIterable {
    case connectionRefused
    case answerLost
    case answerCutOff
    case badCertificate
    case notLetIn
    case libraryMissing

    var arrives: Bool { self == .answerLost || self == .answerCutOff }

    var error: DeliveryError {
      switch self {
      case .connectionRefused: .unavailable(reason: "connection refused")
      case .answerLost: .unavailable(reason: "no answer in time")
      case .answerCutOff: .unavailable(reason: "the answer was cut off")
      case .badCertificate: .misdirected(reason: "a certificate of somebody else")
      case .notLetIn: .refused(reason: "not let in")
      case .libraryMissing: .libraryMissing(name: "libcurl", package: "libcurl4")
      }
    }
  }

  private func carry(_ work: () async throws(DeliveryError) -> HTTPResponse) async throws(DeliveryError) -> HTTPResponse
  {
    let fault: Fault? = state.withLock { state in
      guard state.random.number(1...oneIn) == 1 else { return nil }
      let fault = Fault.allCases[state.random.number(0...Fault.allCases.count - 1)]
      state.faults[fault.rawValue, default: 0] += 1
      return fault
    }
    guard let fault else { return try await work() }
    if fault.arrives { _ = try await work() }
    throw fault.error
  }

  func deliver(_ delivery: Delivery) async throws(DeliveryError) -> HTTPResponse {
    try await carry { () async throws(DeliveryError) in try await courier.deliver(delivery) }
  }

  func close() async { await courier.close() }
}

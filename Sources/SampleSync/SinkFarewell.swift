// SPDX-License-Identifier: Apache-2.0
public import LibreKit
public import SampleSinks
import SampleStore

/// What has to be sent to a receiver before its sink is removed: a broker keeps the last message of some topics, and would
/// show an old state as that of now for ever.
public struct SinkFarewell: Sendable {
  /// What is emptied.
  public let topics: [String]
  private let sink: any SampleSink
  private let name: String
  private let messages: [MQTTMessage]

  /// nil where the receiver keeps nothing of that kind, or was never sent anything.
  ///
  /// - Throws: `LibreError.sink` for a sink that is wrongly set up or lacks its secret.
  public init?(_ view: SinkView, environment: [String: String]) throws(LibreError) {
    guard let setup = view.setup, view.stored?.lastSuccessAt != nil else { return nil }
    // Its secret may be one that a command asks a person for.
    guard !(try setup.sketch(environment: environment)).farewell().isEmpty else { return nil }
    sink = try setup.sink(environment: environment)
    name = setup.name
    messages = sink.farewell()
    topics = messages.map(\.topic)
  }

  /// Throws `LibreError.sink`: `farewellFailed`, `libraryMissing`.
  public func send(_ make: @Sendable (DeliveryRoute) -> any Courier) async throws(LibreError) {
    let courier = make(sink.route)
    let result: DeliveryError?
    do throws(DeliveryError) {
      _ = try await courier.deliver(.mqtt(messages))
      result = nil
    } catch {
      result = error
    }
    await courier.close()
    switch result {
    case nil: return
    case .libraryMissing(let library, let package)?:
      throw .sink(.libraryMissing(name: library, package: package))
    case .unavailable(let reason)?, .misdirected(let reason)?, .refused(let reason)?:
      throw .sink(.farewellFailed(name, topics: topics.count, reason: reason))
    }
  }
}

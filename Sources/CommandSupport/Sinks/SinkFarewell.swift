// SPDX-License-Identifier: Apache-2.0
package import LibreDocuments
package import LibreKit
import SampleStore
package import SampleSync

/// Messages that a receiver needs before its sink is removed: a broker keeps the last message of some topics, and would
/// show an outdated state for ever.
package struct SinkFarewell: Sendable {
  package let topics: [String]
  private let sink: any SampleSink
  private let name: String
  private let messages: [MQTTMessage]

  /// Creates a farewell; nil if the receiver keeps no such topics, or was never sent anything.
  package init?(_ view: SinkView, environment: [String: String]) throws(LibreError) {
    guard let setup = view.setup, view.stored?.lastSuccessAt != nil else { return nil }
    // Its secret may come from a command that asks a person.
    guard !(try setup.sketch(environment: environment)).farewell().isEmpty else { return nil }
    sink = try setup.sink(environment: environment)
    name = setup.name
    messages = sink.farewell()
    topics = messages.map(\.topic)
  }

  /// Throws `farewellFailed` or `libraryMissing`.
  package func send(_ make: @Sendable (DeliveryRoute) -> any Courier) async throws(LibreError) {
    let courier = make(sink.route)
    do throws(Verdict) {
      _ = try await courier.deliver(.mqtt(messages))
      await courier.close()
    } catch {
      await courier.close()
      if case .libraryMissing(let library, let package) = error {
        throw .sink(.libraryMissing(name: library, package: package))
      }
      throw .sink(.farewellFailed(name, topics: topics.count, reason: error.words))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A way to reach readers: opens those of one scheme of addresses. A program adds its own to a catalogue.
public protocol ReaderScheme: Sendable {
  /// The word before the colon of an address, in lower case: `phone` for `phone:kitchen`.
  var scheme: String { get }
  /// A few words about the readers that it reaches.
  var summary: String { get }

  /// Opens the reader at an address of this scheme. A tag need not be present yet.
  /// - Throws: `unknownAddress` for an address that leads nowhere; errors of the driver.
  func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader
}

/// A scheme whose readers can be listed, and watched for changes.
package protocol ReaderBackend: ReaderScheme {
  /// Lists the readers that can be found without disturbing any of them; empty if only the user can know the address.
  /// Throws the reason why this backend cannot be used at all: `libraryMissing`, `noDaemon`, `accessDenied`.
  func readers() async throws(TransportError) -> [FoundReader]
  func changes() -> ReaderChanges
}

package struct FoundReader: Hashable, Sendable {
  package let address: ReaderAddress
  package let name: String
  package let presence: Presence

  package enum Presence: String, Hashable, Sendable, CaseIterable {
    case nothing
    /// An ISO 15693 tag, the kind that sensors are.
    case iso15693
    case otherCard = "other_card"
    /// Used exclusively by another program.
    case busy
    case unknown
  }

  package init(address: ReaderAddress, name: String, presence: Presence) {
    self.address = address
    self.name = name
    self.presence = presence
  }
}

/// The list of readers at once, and again whenever it, or what is on a reader, may have changed; or why the backend
/// cannot be used. Ends only with its consumer, or at once for a backend whose readers cannot come or go.
package typealias ReaderChanges = AsyncStream<Result<[FoundReader], TransportError>>

extension AsyncStream {
  /// A stream whose elements `body` yields, in a task that ends with the consumer.
  init(yielding body: @escaping @Sendable (Continuation) async -> Void) where Element: Sendable {
    // Who is late needs the newest list only.
    let (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      await body(continuation)
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    self = stream
  }
}

extension ReaderBackend {
  package func readers() async throws(TransportError) -> [FoundReader] { [] }

  package func changes() -> ReaderChanges {
    ReaderChanges { continuation in continuation.yield(await list()) }
  }

  /// The list whenever what `look` sees has changed: nothing reports that a device on the USB came or went.
  func changes<Sight: Equatable & Sendable>(
    on clock: any Clock<Duration>, seen look: @escaping @Sendable () -> Sight
  ) -> ReaderChanges {
    ReaderChanges { continuation in
      var known = look()
      continuation.yield(await list())
      while (try? await clock.sleep(for: .milliseconds(250))) != nil {
        let seen = look()
        if seen == known { continue }
        // In the moment in which a port appears it has neither its group nor its access list yet.
        guard (try? await clock.sleep(for: .milliseconds(250))) != nil else { return }
        known = seen
        continuation.yield(await list())
      }
    }
  }

  package func list() async -> Result<[FoundReader], TransportError> {
    do throws(TransportError) { return .success(try await readers()) } catch { return .failure(error) }
  }
}

package struct ReaderChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case plugged
    case gone
    /// An ISO 15693 tag, the kind that sensors are, came into the field.
    case sensorOn = "sensor_on"
    case sensorOff = "sensor_off"
  }

  package let kind: Kind
  package let reader: FoundReader

  package init(_ kind: Kind, _ reader: FoundReader) {
    self.kind = kind
    self.reader = reader
  }
}

/// The readers of one backend, from one list of them to the next.
package struct ReaderRoll: Sendable {
  private var readers: [FoundReader] = []

  package init() {}

  /// Gone readers, then new ones. While a program uses a reader, what PC/SC says of it counts as unchanged.
  package mutating func changes(to list: [FoundReader]) -> [ReaderChange] {
    let before = readers
    readers = list.map { reader in
      guard reader.presence == .busy, let known = before.first(where: { $0.address == reader.address }) else {
        return reader
      }
      return FoundReader(address: reader.address, name: reader.name, presence: known.presence)
    }
    let gone = before.filter { known in !readers.contains { $0.address == known.address } }
    return gone.flatMap { Self.tag(from: $0, to: nil) + [ReaderChange(.gone, $0)] }
      + readers.flatMap { reader in
        let known = before.first { $0.address == reader.address }
        return (known == nil ? [ReaderChange(.plugged, reader)] : []) + Self.tag(from: known, to: reader)
      }
  }

  private static func tag(from old: FoundReader?, to new: FoundReader?) -> [ReaderChange] {
    switch (old?.presence == .iso15693, new?.presence == .iso15693) {
    case (true, false): (new ?? old).map { [ReaderChange(.sensorOff, $0)] } ?? []
    case (false, true): new.map { [ReaderChange(.sensorOn, $0)] } ?? []
    case (true, true), (false, false): []
    }
  }
}

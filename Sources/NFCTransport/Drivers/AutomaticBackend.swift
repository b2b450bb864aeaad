// SPDX-License-Identifier: Apache-2.0

/// Takes the first backend that shows a reader known to read sensors, so that a laptop's smart card slot does not hide
/// a Proxmark3. Without one, the first backend says what is wrong, or tries readers that are not known.
package struct AutomaticBackend: ReaderBackend {
  package let scheme = "auto"
  package let summary = "the best reader that is plugged in"
  private let choices: [any ReaderBackend]

  /// `choices`: the likeliest first.
  package init(among choices: [any ReaderBackend]) { self.choices = choices }

  /// - Throws: what the chosen backend throws; `noReader` without any backend.
  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard address == .automatic else { throw .unknownAddress(address.description) }
    for backend in choices {
      // What keeps one way from being used is reported only if no other one has a reader.
      let readers = (try? await backend.readers()) ?? []
      if readers.contains(where: { $0.presence != .busy && ReaderAssessment($0).iso15693 == .yes }) {
        return try await backend.open(try ReaderAddress(backend.scheme))
      }
    }
    guard let first = choices.first else { throw .noReader }
    return try await first.open(try ReaderAddress(first.scheme))
  }

  package func changes() -> ReaderChanges {
    ReaderChanges { [choices] continuation in
      await withTaskGroup(of: Void.self) { group in
        for choice in choices {
          group.addTask { for await list in choice.changes() { continuation.yield(list) } }
        }
      }
    }
  }
}

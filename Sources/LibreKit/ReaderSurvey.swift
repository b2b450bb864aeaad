// SPDX-License-Identifier: Apache-2.0

/// The readers of this machine, by each way to readers.
package struct ReaderSurvey: Sendable {
  package let ways: [Way]

  package struct Way: Sendable {
    package let scheme: String
    package let summary: String
    /// Readers found (empty if only the user can know them), or the reason why this backend cannot be used now.
    package let result: Result<[FoundReader], TransportError>

    package var error: TransportError? {
      if case .failure(let error) = result { error } else { nil }
    }
  }
}

extension ReaderSurvey {
  /// Asks each backend for its readers, one after the other, without disturbing any reader.
  package init(asking backends: [any ReaderBackend]) async {
    var ways: [Way] = []
    for backend in backends {
      ways.append(Way(scheme: backend.scheme, summary: backend.summary, result: await backend.list()))
    }
    self.init(ways: ways)
  }

  package var readers: [ReaderAssessment] {
    ways.flatMap { way in (try? way.result.get()) ?? [] }.map(ReaderAssessment.init)
  }
}

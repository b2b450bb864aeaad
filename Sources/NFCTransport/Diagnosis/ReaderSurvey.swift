// SPDX-License-Identifier: Apache-2.0

/// All plugged-in readers, and the backends that were asked for them.
package struct ReaderSurvey: Sendable {
  package let ways: [Way]

  /// One backend, which handles all addresses of one scheme.
  package struct Way: Sendable {
    package let scheme: String
    /// One line of help about these readers.
    package let summary: String
    /// Readers found (empty if only the user can know them), or the reason why this backend cannot be used now.
    package let result: Result<[FoundReader], TransportError>

    package init(scheme: String, summary: String, result: Result<[FoundReader], TransportError>) {
      self.scheme = scheme
      self.summary = summary
      self.result = result
    }

    /// Reason why this backend cannot be used now.
    package var error: TransportError? {
      if case .failure(let error) = result { error } else { nil }
    }
  }

  package init(ways: [Way]) { self.ways = ways }

  /// Asks each backend for its readers, one after the other, without disturbing any reader.
  package init(asking backends: [any ReaderBackend]) async {
    var ways: [Way] = []
    for backend in backends {
      let result: Result<[FoundReader], TransportError>
      do throws(TransportError) {
        result = .success(try await backend.readers())
      } catch {
        result = .failure(error)
      }
      ways.append(Way(scheme: backend.scheme, summary: backend.summary, result: result))
    }
    self.init(ways: ways)
  }

  /// All readers, in the order of the backends.
  package var readers: [ReaderAssessment] {
    ways.flatMap { way in (try? way.result.get()) ?? [] }.map(ReaderAssessment.init)
  }

  /// Exit status of the command: 0, or that of the error that prevented any reader from being found.
  package var exitStatus: Int32 { readers.isEmpty ? ways.compactMap(\.error).first?.exitStatus ?? 0 : 0 }
}

// SPDX-License-Identifier: Apache-2.0

/// The readers that are plugged in, and the ways on which they were looked for.
public struct ReaderSurvey: Sendable {
  public let ways: [Way]

  /// All addresses of one scheme.
  public struct Way: Sendable {
    public let scheme: String
    /// What is reached this way.
    public let summary: String
    /// The readers found, none where only the user knows, or why this way cannot be used now.
    public let result: Result<[FoundReader], TransportError>

    public init(scheme: String, summary: String, result: Result<[FoundReader], TransportError>) {
      self.scheme = scheme
      self.summary = summary
      self.result = result
    }

    /// Why this way cannot be used now.
    public var error: TransportError? {
      if case .failure(let error) = result { error } else { nil }
    }
  }

  public init(ways: [Way]) { self.ways = ways }

  /// Asks each backend for its readers, one after the other. No reader is disturbed.
  public init(asking backends: [any ReaderBackend]) async {
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

  /// All readers, in the order of the ways.
  public var readers: [ReaderAssessment] {
    ways.flatMap { way in (try? way.result.get()) ?? [] }.map(ReaderAssessment.init)
  }

  /// Of the command: 0, or that of the error which kept any reader from being found.
  public var exitStatus: Int32 { readers.isEmpty ? ways.compactMap(\.error).first?.exitStatus ?? 0 : 0 }
}

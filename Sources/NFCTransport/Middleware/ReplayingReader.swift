// SPDX-License-Identifier: Apache-2.0

/// Plays back a recording: every request gets its answers of a tap in their order, whatever was asked in between.
/// Unused answers are skipped, so that recordings stay valid when a scan changes its order. Answers are never taken
/// from another tap, because the memory may have changed.
package actor ReplayingReader: HostReader {
  package nonisolated let description: ReaderDescription
  package var recording: Recording? { Recording(at: recordedAt) }
  private var recordedAt: Instant?
  private var waits: ArraySlice<ArraySlice<TraceLine>>
  private var answers: [[UInt8]: ArraySlice<TraceLine.Answer>] = [:]
  /// True if this tap is used up, or something was asked in it: the next wait then takes the next tap.
  private var isTapUsed = true

  /// `address`: of the recording; name and dialect are those of the recorded reader.
  package init(_ trace: Trace, address: String) {
    waits = trace.waits[...]
    var (name, dialect) = ("recording", "unknown")
    for line in trace.lines {
      if case .name(let text) = line { name = text }
      if case .dialect(let text) = line { dialect = text }
    }
    description = ReaderDescription(address: address, name: name, dialect: dialect)
  }

  /// Returns at once, with the next tap if this one was used. Throws the recorded error of this wait; after the last
  /// `traceEnded`, because a program that reads tap after tap is finished then.
  package func waitForTag(within timeout: Duration) throws(TransportError) {
    if Task.isCancelled { throw .cancelled }
    guard isTapUsed else { return }
    answers = [:]
    guard let lines = waits.popFirst() else { throw .traceEnded(.inventory) }
    let failure = lines.first?.waitFailure
    // A time that follows a failed wait still belongs to the answers before it.
    if failure == nil { recordedAt = nil }
    for line in lines {
      if case .exchange(let request, let answer) = line { answers[request, default: []].append(answer) }
      if case .readAt(let instant) = line { recordedAt = instant }
    }
    if let failure { throw failure.error(to: .inventory, reader: description.name) }
    isTapUsed = false
  }

  /// Throws the recorded error, or `traceEnded` if this tap has no further answer to the request.
  package func exchange(_ request: ISO15693.Request) throws(TransportError) -> [UInt8] {
    isTapUsed = true
    switch answers[request.frame]?.popFirst() {
    case .frame(let bytes): return bytes
    case .failure(let failure): throw failure.error(to: request, reader: description.name)
    case nil: throw .traceEnded(request)
    }
  }

  package func waitForRemoval() {
    isTapUsed = true
    answers = [:]
  }

  package func close() {
    waits = []
    waitForRemoval()
  }
}

package struct ReplayBackend: ReaderBackend {
  package let scheme = "replay"
  package let summary = "a conversation recorded with --trace"
  private let file: @Sendable (String) throws(TransportError) -> [UInt8]

  /// `file` returns the bytes of the file at a path, or throws `fileUnreadable`.
  package init(file: @escaping @Sendable (String) throws(TransportError) -> [UInt8]) {
    self.file = file
  }

  /// Throws also what reading the file throws, `badTrace`, `traceTooLong`.
  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard address.scheme == scheme, let path = address.rest else { throw .unknownAddress(address.description) }
    return ReplayingReader(try Trace(parsing: try file(path)), address: address.description)
  }
}

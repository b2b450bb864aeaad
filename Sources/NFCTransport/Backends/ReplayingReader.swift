// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A reader whose tag is a recording: every request gets the answer, or the failure, that it got then.
///
/// Within a tap, a request that was answered more than once gets its answers in their order, whatever else was asked in
/// between, and answers that nobody asks for are passed over: a scan may change its order, and recordings still serve.
/// An answer is never taken from another tap, since the memory may have moved on between two.
public actor ReplayingReader: TagReader {
  public nonisolated let description: ReaderDescription
  /// What the recording says of the last tap.
  public var recording: Recording? { Recording(at: recordedAt) }
  private var recordedAt: Instant?
  private var waits: ArraySlice<ArraySlice<TraceLine>>
  private var answers: [[UInt8]: ArraySlice<TraceLine.Answer>] = [:]
  /// Whether this tap is used up, or something was asked in it: the next wait then takes the next tap.
  private var isAsked = true

  /// `address` is where the recording is; name and dialect are those of the reader that made it.
  public init(_ trace: Trace, address: String) {
    waits = trace.waits[...]
    var (name, dialect) = ("recording", "unknown")
    for line in trace.lines {
      if case .name(let text) = line { name = text }
      if case .dialect(let text) = line { dialect = text }
    }
    description = ReaderDescription(address: address, name: name, dialect: dialect)
  }

  /// Returns at once: with the next tap, or with this one if nothing was asked yet.
  ///
  /// Throws what the next wait threw then, and after the last `traceEnded` with the question that starts every scan: a
  /// program that reads tap after tap has come to its end.
  public func waitForTag(within limit: Duration) throws(TransportError) {
    if Task.isCancelled { throw .cancelled }
    guard isAsked else { return }
    answers = [:]
    guard let lines = waits.popFirst() else { throw .traceEnded(.inventory) }
    let failure = lines.first?.waitFailure
    // A time that stands after a vain wait is still that of the answers before it.
    if failure == nil { recordedAt = nil }
    for line in lines {
      if case .exchange(let request, let answer) = line { answers[request, default: []].append(answer) }
      if case .readAt(let instant) = line { recordedAt = instant }
    }
    if let failure { throw failure.error(to: .inventory, reader: description.name) }
    isAsked = false
  }

  /// Throws what was thrown then, and `traceEnded` if this tap holds no further answer to the request.
  public func exchange(_ request: ISO15693.Request) throws(TransportError) -> [UInt8] {
    isAsked = true
    switch answers[request.frame]?.popFirst() {
    case .frame(let bytes): return bytes
    case .failure(let failure): throw failure.error(to: request, reader: description.name)
    case nil: throw .traceEnded(request)
    }
  }

  /// Returns at once: nobody needs to wait for a recording.
  public func waitForRemoval() {
    isAsked = true
    answers = [:]
  }

  public func close() {
    waits = []
    waitForRemoval()
  }
}

// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport

@testable import NFCTransport

/// A serial line with a script of expected output and its input. When the script has no more input, every wait ends at
/// once.
final class ScriptedLine: SerialLine {
  private let state: Mutex<State>

  private struct State {
    var steps: ArraySlice<Step>
    var isClosed = false
    var surprise: [UInt8]?
  }

  struct Step {
    /// nil: the input comes independently of any output.
    var sent: [UInt8]
    var received: [[UInt8]]
  }

  init(_ steps: [Step]) { state = Mutex(State(steps: steps[...])) }

  /// A dialogue as text: `>` before bytes to the device, `<` before bytes from it, `#` before a comment; continuation
  /// lines start with spaces.
  convenience init(_ text: String) {
    var steps: [Step] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let bytes = line.dropFirst().split(separator: " ").compactMap { UInt8($0, radix: 16) }
      switch line.first {
      case ">": steps.append(Step(sent: bytes, received: []))
      case "<": steps[steps.count - 1].received.append(bytes)
      default:
        let last = steps.count - 1
        if steps[last].received.isEmpty {
          steps[last].sent += bytes
        } else {
          steps[last].received[steps[last].received.count - 1] += bytes
        }
      }
    }
    self.init(steps)
  }

  /// The output that is not in the script; nil if there is none.
  var surprise: [UInt8]? { state.withLock { $0.surprise } }

  /// True if all expected output was sent, and all input was received.
  var isOver: Bool { state.withLock { $0.steps.isEmpty || $0.steps.count == 1 && $0.steps.first!.sent.isEmpty } }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  private var incoming: [[UInt8]] {
    get { state.withLock { $0.steps.first.map { $0.sent.isEmpty ? $0.received : [] } ?? [] } }
    set { state.withLock { $0.steps[$0.steps.startIndex].received = newValue } }
  }

  func write(_ bytes: [UInt8], until end: Moment) throws(TransportError) {
    state.withLock { state in
      // Earlier input that was not read stays in the line.
      var rest: [[UInt8]] = []
      if let first = state.steps.first, first.sent.isEmpty {
        rest = first.received
        state.steps.removeFirst()
      }
      guard let next = state.steps.first, next.sent == bytes else {
        state.surprise = state.surprise ?? bytes
        return
      }
      state.steps[state.steps.startIndex] = Step(sent: [], received: rest + next.received)
    }
  }

  func read(until end: Moment, while isWanted: () -> Bool) throws(TransportError) -> [UInt8] {
    guard isWanted() else { throw .cancelled }
    guard let bytes = incoming.first else { return [] }
    incoming.removeFirst()
    return bytes
  }

  func close() { state.withLock { $0.isClosed = true } }
}

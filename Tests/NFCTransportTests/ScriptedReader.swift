// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport

/// Plays one step at each exchange, whatever the request is, and records the calls. After the last step it is
/// silent.
actor ScriptedReader: HostReader {
  enum Step {
    case answer([UInt8])
    case failure(TransportError)
  }

  nonisolated let description = ReaderDescription(address: "pcsc", name: "scripted", dialect: "none")
  nonisolated let recording: Recording?
  private var steps: ArraySlice<Step>
  private(set) var calls: [String] = []

  init(_ steps: [Step], recordedAt: Instant? = nil) {
    self.steps = steps[...]
    recording = recordedAt.map { Recording(at: $0) }
  }

  func exchange(_ request: ISO15693.Request) throws(TransportError) -> [UInt8] {
    calls.append("exchange")
    switch steps.popFirst() {
    case .answer(let answer): return answer
    case .failure(let error): throw error
    case nil: throw .tagSilent(block: nil)
    }
  }

  func waitForTag(within limit: Duration) throws(TransportError) { calls.append("waitForTag \(limit)") }
  func waitForRemoval() throws(TransportError) { calls.append("waitForRemoval") }
  func close() { calls.append("close") }
}

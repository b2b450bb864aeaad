// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NFCTransport

/// Arbitrary recordings: they are refused with a line, or read, written and read again the same; and every question put
/// to one ends, with an answer or an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTrace(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = Array(UnsafeBufferPointer(start: data, count: count))
  guard let trace = try? Trace(parsing: file) else { return 0 }
  precondition((try? Trace(parsing: Array(trace.text.utf8))) == trace, "written and read again it is the same")
  let done = DispatchSemaphore(value: 0)
  Task {
    await play(trace)
    done.signal()
  }
  done.wait()
  return 0
}

/// Asks one question of each kind in the first taps, and records that: what was written is a recording too.
private func play(_ trace: Trace) async {
  let (lines, recording) = AsyncStream.makeStream(of: String.self)
  let reader = TracingReader(
    ReplayingReader(trace, address: "replay:fuzz"), showsIdentifiers: false, tool: "fuzz",
    write: { recording.yield($0) })
  let requests: [ISO15693.Request] =
    [.inventory, .systemInformation, .patchInfo(.texasInstruments), .readBlock(0)]
    + ReadPlan(sections: [0..<3]).requests
  for _ in 0..<4 {
    do throws(TransportError) { try await reader.waitForTag(within: .zero) } catch { continue }
    for request in requests { _ = try? await reader.response(to: request) }
  }
  recording.finish()
  let written = await lines.reduce(into: "") { $0 += $1 + "\n" }
  precondition((try? Trace(parsing: Array(written.utf8))) != nil, "what is recorded can be played")
}

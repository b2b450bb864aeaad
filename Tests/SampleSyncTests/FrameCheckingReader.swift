// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport

/// A reader that checks the checksum of a frame, as every real one does: a UID or a patch info with wrong
/// bytes is rejected. Blocks have their own checksums, and are passed on unchanged.
struct FrameCheckingReader: ReaderMiddleware {
  let reader: any TagReader
  let uid: SensorUID
  let patchInfo: PatchInfo

  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    let answer = try await reader.exchange(request)
    switch try? ISO15693.Response(answer, to: request) {
    case .inventory(let arrived) where arrived != uid: throw .tagSilent(block: nil)
    case .patchInfo(let arrived) where arrived != patchInfo: throw .tagSilent(block: nil)
    case .inventory, .systemInformation, .blocks, .patchInfo, .error, nil: return answer
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Identiv's commands for ISO 15693 (uTrust 3720F and 3721F): the frame without its flags.
///
/// Read: the manual, pages 69 to 74. In one place it multiplies a number of blocks by four; the count is sent as on
/// air, less one, and an answer of another length is not used. Patch info and wide reads use the command for custom
/// commands, `FF FD`: 25 ms, then a frame type whose value for ISO 15693 was not found; `00` is a guess, and so is the
/// use of flags. Untested on hardware.
struct IdentivPassThrough: ReaderDialect {
  let name = "identiv"

  func command(for request: ISO15693.Request) -> [UInt8]? {
    switch request {
    case .inventory: nil
    case .systemInformation, .readBlock, .readBlocks:
      pseudoAPDU(0xFC, 0x00, 0x00, Array(request.frame.dropFirst()))
    case .patchInfo, .readWideBlock, .readWideBlocks: pseudoAPDU(0xFD, 0x05, 0x00, request.frame)
    }
  }
}

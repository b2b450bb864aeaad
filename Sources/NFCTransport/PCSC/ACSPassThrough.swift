// SPDX-License-Identifier: Apache-2.0

/// ACS's pass-through: the frame without its flags; the reader adds flags and CRC. The reader does the inventory
/// itself.
///
/// Read: ACR1552U manual 5.3.8 as quoted by ST's staff, and drivers. It is not known whether the answer begins with the
/// response flags: both forms are accepted. Untested on hardware.
struct ACSPassThrough: ReaderDialect {
  let name = "acs-pass-through"

  func command(for request: ISO15693.Request) -> [UInt8]? {
    switch request {
    case .inventory: nil
    case .systemInformation, .readBlock, .readBlocks, .patchInfo, .readWideBlock, .readWideBlocks:
      pseudoAPDU(0xFB, 0x00, 0x00, Array(request.frame.dropFirst()))
    }
  }
}

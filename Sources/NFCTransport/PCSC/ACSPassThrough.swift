// SPDX-License-Identifier: Apache-2.0

/// ACS's pass-through: the frame without its flags, which the reader adds, as it does the CRC. Inventory is the
/// reader's own.
///
/// Read: ACR1552U manual 5.3.8 as quoted by ST's staff, and drivers. Whether the answer begins with the response
/// flags is not known: both forms are taken. Untested on hardware.
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

// SPDX-License-Identifier: Apache-2.0

/// SpringCard's RFID MEMORY CONTROL, for readers without ENCAPSULATE. It has no custom commands:
/// no patch info, no wide reads.
///
/// Read: docs.springcard.com and the manual of the H663. That the count of blocks is plain, and not less one as on
/// air, is derived: a reader that counts otherwise sends another length, which is not used. Untested on hardware.
struct SpringCardMemoryControl: SpringCardDialect {
  func command(for request: ISO15693.Request) -> [UInt8]? {
    switch request {
    case .inventory, .patchInfo, .readWideBlock, .readWideBlocks: nil
    case .systemInformation: pseudoAPDU(0xF6, 0x2B, 0x00, [])
    case .readBlock(let block): pseudoAPDU(0xF6, 0x20, 0x00, [block])
    case .readBlocks(let run): pseudoAPDU(0xF6, 0x23, 0x00, [run.first, run.count])
    }
  }
}

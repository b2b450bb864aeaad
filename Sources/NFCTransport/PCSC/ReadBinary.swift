// SPDX-License-Identifier: Apache-2.0

/// PC/SC's READ BINARY, which most readers support: one block at a time, nothing else.
///
/// Read: HID's sample code for OMNIKEY, SpringCard's documents. Both allow a length of 0, for the whole block; some
/// readers may need 8. Length 0 is tried first: a reader that assumes blocks of four bytes then reveals itself by
/// returning four, while it might fill a length of 8 with the halves of two blocks. Untested on hardware.
struct ReadBinary: ReaderDialect {
  let name = "read-binary"
  /// Number of requested bytes; 0 for a whole block.
  let length: UInt8

  func command(for request: ISO15693.Request) -> [UInt8]? {
    switch request {
    case .readBlock(let block): [0xFF, 0xB0, 0x00, block, length]
    case .inventory, .systemInformation, .readBlocks, .patchInfo, .readWideBlock, .readWideBlocks: nil
    }
  }
}

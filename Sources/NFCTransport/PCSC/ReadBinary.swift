// SPDX-License-Identifier: Apache-2.0

/// PC/SC's READ BINARY, which most readers know: one block at a time, and nothing else.
///
/// Read: HID's sample code for OMNIKEY, SpringCard's documents. Both allow a length of 0, for as much as there is;
/// some readers may want 8. The length of 0 goes first: a reader that believes in blocks of four bytes then gives
/// itself away with four, where it might fill a length of 8 with the halves of two blocks. Untested on hardware.
struct ReadBinary: ReaderDialect {
  let name = "read-binary"
  /// How many bytes the command asks for; 0 for a whole block.
  let length: UInt8

  func command(for request: ISO15693.Request) -> [UInt8]? {
    switch request {
    case .readBlock(let block): [0xFF, 0xB0, 0x00, block, length]
    case .inventory, .systemInformation, .readBlocks, .patchInfo, .readWideBlock, .readWideBlocks: nil
    }
  }
}

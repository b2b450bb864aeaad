// SPDX-License-Identifier: Apache-2.0

/// SpringCard's ENCAPSULATE: the frame goes on air as it is, the reader adds the CRC.
///
/// Read: docs.springcard.com. It speaks of frames that hold the UID; that one to whichever tag is there passes too,
/// and that the answer begins with the response flags, is derived. P2 `00`, the usual time limit, is remembered.
/// Untested on hardware.
struct SpringCardEncapsulate: SpringCardDialect {
  func command(for request: ISO15693.Request) -> [UInt8]? { pseudoAPDU(0xFE, 0x04, 0x00, request.frame) }
}

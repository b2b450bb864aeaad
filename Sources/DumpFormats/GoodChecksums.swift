// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

// The number of a memory's correct checksums, by which the right reading of a file is found.
extension Dump {
  /// True for a scan, even a damaged or truncated one, and for one of which only the records are left.
  var isScan: Bool { records != nil || memory.isScan }
}

extension CheckedMemory {
  /// The number of correct checksums, 0…3, of a Libre 1's three or of another layout's.
  var goodChecksums: Int { integrity.trustedRegions }

  /// True if the checksum over the samples is correct, so that the memory can be decoded.
  var holdsSamples: Bool { integrity.body.isTrusted }

  /// True for a scan, even a damaged or truncated one; false for a part of a memory, a command's output, or encrypted
  /// bytes.
  var isScan: Bool { integrity.header.isTrusted || integrity.body.isTrusted }
}

// SPDX-License-Identifier: Apache-2.0

/// The sentences about a dump that a Proxmark3 client damaged, which are an error, or a problem where salvaging was asked for.
package enum ProxmarkDefectText {
  package static let message =
    "a defect of the Proxmark3 client has overwritten the start of the memory, as it does where all 244 blocks are in one dump: the footer, the age and most history values are intact; the state, two checksums, both ring indices and most trend values are lost"
  package static let resolution =
    "read the sensor again block by block (hf 15 rdbl or rdmulti) and decode the pasted text; --salvage shows the history, placed by the age"
}

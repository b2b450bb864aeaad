// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import DumpFormats
import HostSystem
import Libre1Core

// Every sentence about an error is made here, so that the terminal, JSON and a program that uses the library say the same.

extension LibreError {
  public var explanation: ErrorExplanation {
    switch self {
    case .memory(let error): error.explanation
    case .dump(let error): error.explanation
    case .input(let error): error.explanation
    case .uid(let error): error.explanation
    case .transport(let error): error.explanation
    case .configuration(let error): error.explanation
    case .store(let error): error.explanation
    case .history(let error): error.explanation
    case .report(let error): error.explanation
    case .output(let error): error.explanation
    case .other(let error): error.error.explanation
    }
  }
}

typealias Explanation = ErrorExplanation

extension MemoryError {
  fileprivate var explanation: Explanation {
    switch self {
    case .wrongLength(let found, let needed):
      Explanation(
        "wrong_length", "\(found) bytes are no memory, which has \(needed)", "read all 43 blocks of the sensor")
    case .crcMismatch(let region, let stored, let computed):
      Explanation(
        "crc_mismatch",
        "the \(region)'s checksum does not hold: \(HexText.string(of: stored)) stored, \(HexText.string(of: computed)) computed",
        "read the sensor again; --salvage shows what may still be right, libre inspect shows the bytes")
    case .blockMissing(let region, let blocks):
      Explanation(
        "block_missing", "the \(region) lacks \(BlockText.list(blocks))",
        "read the sensor again; --salvage shows the samples in the blocks that are there")
    case .undatable(let blocks):
      Explanation(
        "block_missing", "\(BlockText.list(blocks)) would tell the minute of each sample and is not in the dump",
        "nothing can be salvaged; read the sensor again")
    case .ringIndexOutOfRange(let ring, let index, let slots):
      Explanation(
        "ring_index_out_of_range", "the \(ring.rawValue) index is \(index), but its ring has slots 0 to \(slots - 1)",
        "no sample can be placed; read the sensor again and please report the dump if it stays so")
    case .blank(let byte):
      Explanation(
        "blank_memory", "every byte is \(HexText.string(of: byte)): nothing was read",
        "read the sensor again, without moving it")
    case .encryptedOrUnknown:
      Explanation(
        "encrypted_or_unknown",
        "no checksum holds anywhere: an encrypted sensor's memory (Libre 2, US 14 day), or no sensor memory at all",
        "if it is a Libre 2 or a US 14 day: libre decode FILE --uid UID --patch-info HEX, both of the same scan")
    case .encryptedWithoutUID(let family):
      Explanation(
        "encrypted_or_unknown",
        "this is the encrypted memory of a \(family.productName), not a damaged one: no checksum holds, and the patch info names it",
        "give its UID, which is part of the key: libre decode FILE --uid UID; a recording has it only if made with --show-identifiers"
      )
    case .encryptedWithoutPatchInfo(let family):
      Explanation(
        "encrypted_or_unknown",
        "by its UID this is the encrypted memory of a \(family.productName), and the patch info is not known",
        "give the patch info of the same scan, which is part of the key: libre decode FILE --patch-info HEX")
    case .unsupportedFamily(let family):
      Explanation(
        "unsupported_family", "this is a \(family.productName), which is not readable with public knowledge",
        "keep the dump: its bytes may be readable one day; libre inspect shows them")
    case .cannotDecrypt(let family):
      Explanation(
        "cannot_decrypt",
        "cannot decrypt with this UID and patch info: the bytes do not become the memory of a \(family.productName)",
        "check --uid and --patch-info: both must be this sensor's, the patch info of the same scan; if they are, the memory is damaged: read it again"
      )
    case .keyDisagrees(let family, let given, let recovered):
      Explanation(
        "cannot_decrypt",
        "this is the memory of a \(family.productName) with \(recovered), as its own bytes prove, and not one with \(given)",
        "leave out the UID and the patch info that were given; if they came with the file, they are another sensor's: libre convert FILE --to raw makes one without"
      )
    }
  }
}

extension UIDError {
  fileprivate var explanation: Explanation {
    let way = "write the 16 hex digits as printed, E0 first: --uid E007A0…"
    return switch self {
    case .wrongLength(let count): Explanation("bad_uid", "a UID has 8 bytes, not \(count)", way)
    case .notHex(let text): Explanation("bad_uid", "\(text) is not hex digits", way)
    case .ambiguousOrder: Explanation("bad_uid", "the UID has E0 at both ends, so its order is not clear", way)
    case .notISO15693: Explanation("bad_uid", "the UID has E0 at neither end, so it is of no ISO 15693 tag", way)
    }
  }
}

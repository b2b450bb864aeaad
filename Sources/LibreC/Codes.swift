// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import CLibre
import Libre1Core

// The numbers of the header for the decoder's own values. Each switch is exhaustive, so the compiler finds a new value.

extension RawRepresentable<UInt32> {
  /// The number as a member of a structure has it.
  var byte: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

  /// The number as a function returns it.
  var code: Int32 { Int32(truncatingIfNeeded: rawValue) }
}

extension libre_quality {
  init(_ quality: SampleQuality) {
    self =
      switch quality {
      case .ok: LIBRE_QUALITY_OK
      case .error: LIBRE_QUALITY_ERROR
      case .neverWritten: LIBRE_QUALITY_NEVER_WRITTEN
      case .lowSignal: LIBRE_QUALITY_LOW_SIGNAL
      case .temperature: LIBRE_QUALITY_TEMPERATURE
      case .warmUp: LIBRE_QUALITY_WARM_UP
      }
  }
}

extension libre_state {
  init(_ state: SensorState) {
    self =
      switch state {
      case .notActivated: LIBRE_STATE_NOT_ACTIVATED
      case .warmingUp: LIBRE_STATE_WARMING_UP
      case .active: LIBRE_STATE_ACTIVE
      case .expired: LIBRE_STATE_EXPIRED
      case .shutdown: LIBRE_STATE_SHUTDOWN
      case .failure: LIBRE_STATE_FAILURE
      case .unknown: LIBRE_STATE_UNKNOWN
      }
  }
}

extension libre_family {
  init(_ family: SensorFamily) {
    self =
      switch family {
      case .libre1: LIBRE_FAMILY_LIBRE1
      case .libreUS14Day: LIBRE_FAMILY_LIBRE_US14DAY
      case .librePro: LIBRE_FAMILY_LIBRE_PRO
      case .libre2: LIBRE_FAMILY_LIBRE2
      case .libre2Generation2: LIBRE_FAMILY_LIBRE2_GEN2
      case .libre3: LIBRE_FAMILY_LIBRE3
      case .libreSense: LIBRE_FAMILY_LIBRE_SENSE
      case .lingo: LIBRE_FAMILY_LINGO
      case .unknown: LIBRE_FAMILY_UNKNOWN
      }
  }
}

extension libre_region {
  init(_ region: SensorRegion?) {
    self =
      switch region {
      case .european: LIBRE_REGION_EUROPEAN
      case .usa: LIBRE_REGION_USA
      case .australiaCanada: LIBRE_REGION_AUSTRALIA_CANADA
      case .eastROW: LIBRE_REGION_EAST_ROW
      case .unspecified, .unknown, nil: LIBRE_REGION_UNKNOWN
      }
  }
}

extension libre_checksum {
  init(_ verdict: RegionVerdict) {
    self =
      switch verdict {
      case .ok: LIBRE_CHECKSUM_OK
      case .torn: LIBRE_CHECKSUM_TORN
      case .bad: LIBRE_CHECKSUM_BAD
      case .absent: LIBRE_CHECKSUM_ABSENT
      }
  }
}

extension libre_error {
  init(_ error: MemoryError) {
    self =
      switch error {
      case .wrongLength: LIBRE_ERROR_WRONG_LENGTH
      case .crcMismatch: LIBRE_ERROR_CRC_MISMATCH
      case .blockMissing: LIBRE_ERROR_BLOCK_MISSING
      case .undatable: LIBRE_ERROR_UNDATABLE
      case .ringIndexOutOfRange: LIBRE_ERROR_RING_INDEX
      case .blank: LIBRE_ERROR_BLANK
      case .encryptedOrUnknown: LIBRE_ERROR_ENCRYPTED_OR_UNKNOWN
      case .encryptedWithoutUID: LIBRE_ERROR_ENCRYPTED_WITHOUT_UID
      case .encryptedWithoutPatchInfo: LIBRE_ERROR_ENCRYPTED_WITHOUT_PATCH_INFO
      case .unsupportedFamily: LIBRE_ERROR_UNSUPPORTED_FAMILY
      case .cannotDecrypt: LIBRE_ERROR_CANNOT_DECRYPT
      case .keyDisagrees: LIBRE_ERROR_KEY_DISAGREES
      }
  }
}

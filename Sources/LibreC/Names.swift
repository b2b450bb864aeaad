// SPDX-License-Identifier: Apache-2.0
// The functions have their names in C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CGMModel
public import CLibre

// The words of JSON for the header's numbers. C needs text that ends with a zero byte and is never freed, which the
// strings of Swift's own enumerations are not; `tools/everywhere` compares each word here with theirs.

extension UnsafePointer<CChar> {
  /// The characters of a literal, which ends with a zero byte, as the documentation of `StaticString` promises.
  fileprivate static func text(_ literal: StaticString) -> Self {
    UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

@c @implementation
public func libre_error_name(_ error: Int32) -> UnsafePointer<CChar>? {
  switch libre_error(UInt32(bitPattern: error)) {
  case LIBRE_OK: .text("ok")
  case LIBRE_ERROR_BAD_ARGUMENT: .text("bad_argument")
  case LIBRE_ERROR_BAD_UID: .text("bad_uid")
  case LIBRE_ERROR_WRONG_LENGTH: .text("wrong_length")
  case LIBRE_ERROR_CRC_MISMATCH: .text("crc_mismatch")
  case LIBRE_ERROR_BLOCK_MISSING, LIBRE_ERROR_UNDATABLE: .text("block_missing")
  case LIBRE_ERROR_RING_INDEX: .text("ring_index_out_of_range")
  case LIBRE_ERROR_BLANK: .text("blank_memory")
  case LIBRE_ERROR_ENCRYPTED_OR_UNKNOWN, LIBRE_ERROR_ENCRYPTED_WITHOUT_UID,
    LIBRE_ERROR_ENCRYPTED_WITHOUT_PATCH_INFO:
    .text("encrypted_or_unknown")
  case LIBRE_ERROR_UNSUPPORTED_FAMILY: .text("unsupported_family")
  case LIBRE_ERROR_CANNOT_DECRYPT, LIBRE_ERROR_KEY_DISAGREES: .text("cannot_decrypt")
  default: nil
  }
}

@c @implementation
public func libre_quality_name(_ quality: Int32) -> UnsafePointer<CChar>? {
  switch libre_quality(UInt32(bitPattern: quality)) {
  case LIBRE_QUALITY_OK: .text("ok")
  case LIBRE_QUALITY_ERROR: .text("error")
  case LIBRE_QUALITY_NEVER_WRITTEN: .text("never_written")
  case LIBRE_QUALITY_LOW_SIGNAL: .text("low_signal")
  case LIBRE_QUALITY_TEMPERATURE: .text("temperature")
  case LIBRE_QUALITY_WARM_UP: .text("warm_up")
  default: nil
  }
}

@c @implementation
public func libre_state_name(_ state: Int32) -> UnsafePointer<CChar>? {
  switch libre_state(UInt32(bitPattern: state)) {
  case LIBRE_STATE_NOT_ACTIVATED: .text("not_activated")
  case LIBRE_STATE_WARMING_UP: .text("warming_up")
  case LIBRE_STATE_ACTIVE: .text("active")
  case LIBRE_STATE_EXPIRED: .text("expired")
  case LIBRE_STATE_SHUTDOWN: .text("shutdown")
  case LIBRE_STATE_FAILURE: .text("failure")
  case LIBRE_STATE_UNKNOWN: .text("unknown")
  default: nil
  }
}

@c @implementation
public func libre_family_name(_ family: Int32) -> UnsafePointer<CChar>? {
  switch libre_family(UInt32(bitPattern: family)) {
  case LIBRE_FAMILY_LIBRE1: .text("libre1")
  case LIBRE_FAMILY_LIBRE_US14DAY: .text("libre_us14day")
  case LIBRE_FAMILY_LIBRE_PRO: .text("libre_pro")
  case LIBRE_FAMILY_LIBRE2: .text("libre2")
  case LIBRE_FAMILY_LIBRE2_GEN2: .text("libre2_gen2")
  case LIBRE_FAMILY_LIBRE3: .text("libre3")
  case LIBRE_FAMILY_LIBRE_SENSE: .text("libre_sense")
  case LIBRE_FAMILY_LINGO: .text("lingo")
  case LIBRE_FAMILY_UNKNOWN: .text("unknown")
  default: nil
  }
}

@c @implementation
public func libre_product_name(_ patchInfo: UnsafePointer<UInt8>?, _ size: Int) -> UnsafePointer<CChar>? {
  guard let patchInfo, size > 0,
    let known = PatchInfo(in: UnsafeBufferPointer(start: patchInfo, count: size).span)
  else { return nil }
  return SensorProduct(known).map { .text($0.text) }
}

@c @implementation
public func libre_region_name(_ region: Int32) -> UnsafePointer<CChar>? {
  switch libre_region(UInt32(bitPattern: region)) {
  case LIBRE_REGION_EUROPEAN: .text("european")
  case LIBRE_REGION_USA: .text("usa")
  case LIBRE_REGION_AUSTRALIA_CANADA: .text("australia_canada")
  case LIBRE_REGION_EAST_ROW: .text("east_row")
  case LIBRE_REGION_UNKNOWN: .text("unknown")
  default: nil
  }
}

@c @implementation
public func libre_checksum_name(_ checksum: Int32) -> UnsafePointer<CChar>? {
  switch libre_checksum(UInt32(bitPattern: checksum)) {
  case LIBRE_CHECKSUM_OK: .text("ok")
  case LIBRE_CHECKSUM_TORN: .text("torn")
  case LIBRE_CHECKSUM_BAD: .text("bad")
  case LIBRE_CHECKSUM_ABSENT: .text("absent")
  default: nil
  }
}

@c @implementation
public func libre_measurement_error_name(_ bit: Int32) -> UnsafePointer<CChar>? {
  switch bit {
  case 0: .text("fifo_overflow")
  case 1: .text("filter_delta")
  case 2: .text("work_voltage")
  case 3: .text("peak_delta")
  case 4: .text("average_delta")
  case 5: .text("rf_interference")
  case 6: .text("reference_resistance")
  case 7: .text("signal_saturated")
  case 8: .text("signal_low")
  default: nil
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Decodes the memory of a Libre 1, or of another sensor after decryption: bytes in, samples out. It needs no operating
/// system, reads no clock and stops at no bytes.
public enum Libre1Decoder {
  /// Decodes the first 344 of the bytes with the factory's calibration.
  ///
  /// - Throws: `MemoryError` for too few bytes, for a body with a wrong checksum, and for another kind of memory.
  public static func decode(_ bytes: [UInt8]) throws(MemoryError) -> DecodedMemory { try decode(bytes.span) }

  #if !hasFeature(Embedded)
    /// Decodes the first 344 of the bytes with a calibration model, which may be the program's own.
    public static func decode(
      _ bytes: [UInt8], calibration model: any CalibrationModel
    ) throws(MemoryError) -> DecodedMemory { try decode(bytes.span, calibration: model) }
  #endif

  /// Decodes a memory with a correct body. It cannot fail: facts from a bad header or footer are nil in the result.
  package static func decode(
    _ memory: ValidatedFRAM, calibration model: AnyCalibrationModel = FactoryCalibration()
  ) -> DecodedMemory {
    let timeline = memory.timeline
    let trend = trend(of: memory, timeline, calibration: model)
    let history = history(of: memory, timeline, calibration: model)
    let current = CurrentValue.current(in: trend, newestMinute: timeline.newestTrendMinute, state: memory.state)
    return DecodedMemory(memory: memory, timeline: timeline, trend: trend, history: history, current: current)
  }

  package static func trend(
    of memory: borrowing ValidatedFRAM, _ timeline: Timeline, calibration model: AnyCalibrationModel
  ) -> DecodedRing<16> {
    DecodedRing(.trend, layout: MemoryMap.trend, of: memory, newestMinute: timeline.newestTrendMinute, model: model)
  }

  package static func history(
    of memory: borrowing ValidatedFRAM, _ timeline: Timeline, calibration model: AnyCalibrationModel
  ) -> DecodedRing<32> {
    DecodedRing(
      .history, layout: MemoryMap.history, of: memory, newestMinute: timeline.newestHistoryMinute, model: model)
  }

  /// Decodes the first 344 of the bytes. Throws the kind of the bytes if every checksum is wrong; other kinds are
  /// considered only for a memory that cannot be decoded.
  package static func decode(
    _ bytes: Span<UInt8>, calibration model: AnyCalibrationModel = FactoryCalibration()
  ) throws(MemoryError) -> DecodedMemory {
    do {
      return decode(try FRAM(bytes).validated(), calibration: model)
    } catch {
      let kind = CheckedMemory(MemoryImage(bytes: bytes.indices.map { bytes[$0] })).kind
      if case .wrongLength = error, kind == .unrecognised { throw error }
      try kind.requireLibre1()
      throw error
    }
  }
}

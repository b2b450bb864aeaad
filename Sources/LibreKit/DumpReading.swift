// SPDX-License-Identifier: Apache-2.0
package import DumpFormats

/// Makes a reading of a memory from a dump: what the file did to it is told apart from what is wrong with the memory.
package struct DumpReading {
  private let assembly: ReadingAssembly
  private let defect: DumpDefect?
  /// The records of the scan, if there is no memory.
  private let records: AppRecords?

  /// `layout` is the one that a scan found; `footer` a valid one of the same sensor, for a memory with a damaged one.
  package init(
    memory: CheckedMemory, layout: (any SensorLayout)? = nil, readAtSource: ReadTimeSource, source: ReadingSource,
    reader: ReaderDescription? = nil, defect: DumpDefect? = nil, records: AppRecords? = nil, footer: [UInt8]? = nil
  ) {
    assembly = ReadingAssembly(
      memory, layout: layout, readAtSource: readAtSource, source: source, reader: reader, footer: footer)
    (self.defect, self.records) = (defect, records)
  }

  private var memory: CheckedMemory { assembly.memory }

  /// Decodes with values from this scan alone. A calibration that needs the store gives the factory's values.
  package func reading(calibration: CalibrationChoice, salvaging: Bool) throws(LibreError) -> SensorReading {
    let content = try content(model: calibration.pointModel, salvaging: salvaging)
    return assembly.reading(
      of: content, identifiedBy: records?.bytes,
      problems: defect == .overwrittenByProxmark ? [.overwrittenByProxmark] : []
    ).calibrated(with: calibration)
  }

  /// A dump that ends inside its footer has all samples, and is read like one with a bad footer.
  private func content(model: any CalibrationModel, salvaging: Bool) throws(LibreError) -> MemoryContent {
    let image = memory.image
    switch defect {
    case .overwrittenByProxmark where !salvaging: throw .dump(.overwrittenByProxmark)
    case .ambiguousUID where image.uid == nil: throw .dump(.ambiguousUID)
    case .takenForLocks where PlainMemory.hasLostBytes(memory, defect): throw .dump(.takenForLocks)
    case .overwrittenByProxmark, .ambiguousUID, .takenForLocks, nil: break
    }
    if let records {
      return MemoryContent(
        ofHistory: records.history, trend: records.trend, ageMinutes: records.ageMinutes, image, model: model)
    }
    let isShort = image.bytes.count < MemoryMap.byteCount
    let cutOff = LibreError.dump(.truncated(found: image.bytes.count, needed: MemoryMap.byteCount))
    if image.bytes.isEmpty { throw cutOff }
    do throws(MemoryError) {
      return try assembly.content(model: model, salvaging: salvaging)
    } catch {
      switch error {
      case .blockMissing where isShort: throw cutOff
      case .encryptedOrUnknown where isShort && !salvaging: throw cutOff
      case .wrongLength(let found, let needed): throw .dump(.truncated(found: found, needed: needed))
      case .crcMismatch, .blockMissing, .undatable, .ringIndexOutOfRange, .blank, .encryptedOrUnknown,
        .encryptedWithoutUID, .encryptedWithoutPatchInfo, .unsupportedFamily, .cannotDecrypt, .keyDisagrees:
        throw .memory(error, of: image.patchInfo)
      }
    }
  }
}

extension SensorReading {
  /// Returns the reading, which has the values of the choice's `pointModel`, with those of the whole choice.
  fileprivate func calibrated(with calibration: CalibrationChoice) -> SensorReading {
    switch calibration {
    case .factory, .model: return self
    case .series(let model): return recalibrated(by: model)
    case .user: return lackingUserCalibration
    }
  }

  package var lackingUserCalibration: SensorReading {
    var reading = self
    reading.problems.append(.userCalibrationMissing)
    return reading
  }
}

extension PlainMemory {
  /// True for the memory of a Libre 2 that TagInfo may have cut, if no checksum of it is valid, decrypted or not.
  static func hasLostBytes(_ memory: CheckedMemory, _ defect: DumpDefect?) -> Bool {
    guard defect == .takenForLocks, memory.image.uid?.isLibre2 == true, memory.kind == .unrecognised else {
      return false
    }
    return (try? PlainMemory(memory))?.memory.fram.integrity.trustedRegions ?? 0 == 0
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Libre1Core

/// Creates a reading from a memory image: the decoded bytes, with facts from the UID and the clock.
struct ReadingAssembly {
  let memory: CheckedMemory
  /// The layout that the scan found; nil to find it.
  var layout: (any SensorLayout)?
  let readAtSource: ReadTimeSource
  let source: ReadingSource
  var reader: ReaderDescription?
  var defect: DumpDefect?
  /// The records of the scan, if there is no memory.
  var records: AppRecords?
  /// A valid footer of the same sensor, for a memory with a damaged one.
  var footer: [UInt8]?

  private var image: MemoryImage { memory.image }

  /// Decodes with values from this scan alone. A calibration that needs the store gives the factory's values.
  func reading(calibration: CalibrationChoice, salvaging: Bool) throws(LibreError) -> SensorReading {
    let content = try content(model: calibration.pointModel, salvaging: salvaging)
    let sensor = content.sensor
    let reading = SensorReading(
      id: readingID(of: content), readAt: image.readAt, readAtSource: readAtSource, source: source,
      reader: reader, sensor: sensor, integrity: content.integrity, calibration: content.calibration,
      history: content.history.dated(from: sensor.activatedAt), trend: content.trend.dated(from: sensor.activatedAt),
      current: content.current, problems: content.problems + ownProblems(sensor), isSalvaged: content.isSalvaged,
      memory: content.memory, footer: content.footer)
    switch calibration {
    case .factory, .model: return reading
    case .series(let model): return reading.recalibrated(by: model)
    case .user: return reading.lackingUserCalibration
    }
  }

  /// A dump that ends inside its footer has all samples, and is read like one with a bad footer.
  private func content(model: any CalibrationModel, salvaging: Bool) throws(LibreError) -> MemoryContent {
    switch defect {
    case .overwrittenByProxmark where !salvaging: throw .dump(.overwrittenByProxmark)
    case .ambiguousUID where image.uid == nil: throw .dump(.ambiguousUID)
    case .takenForLocks where PlainMemory.hasLostBytes(memory, defect): throw .dump(.takenForLocks)
    case .overwrittenByProxmark, .ambiguousUID, .takenForLocks, nil: break
    }
    if let records { return MemoryContent(of: records, image, model: model) }
    let isShort = image.bytes.count < MemoryMap.byteCount
    let cutOff = LibreError.dump(.truncated(found: image.bytes.count, needed: MemoryMap.byteCount))
    if image.bytes.isEmpty { throw cutOff }
    // Even a truncated image may show that it is blank or has another layout.
    if case .blank(let byte) = memory.kind { throw .memory(.blank(byte)) }
    let layout = layout ?? Registry.sensorLayout(of: memory, otherwise: Libre1Layout())
    do throws(MemoryError) {
      return try layout.content(of: memory, model: model, salvaging: salvaging, footer: footer)
    } catch {
      switch error {
      case .blockMissing where isShort: throw cutOff
      case .encryptedOrUnknown where isShort && !salvaging: throw cutOff
      case .wrongLength(let found, let needed): throw .dump(.truncated(found: found, needed: needed))
      case .crcMismatch, .blockMissing, .undatable, .ringIndexOutOfRange, .blank, .encryptedOrUnknown,
        .encryptedWithoutUID, .encryptedWithoutPatchInfo, .unsupportedFamily, .cannotDecrypt, .keyDisagrees:
        throw .memory(error)
      }
    }
  }

  private func ownProblems(_ sensor: SensorDescription) -> [ReadingProblem] {
    (defect == .overwrittenByProxmark ? [.overwrittenByProxmark] : [])
      + (sensor.activatedAt != nil && readAtSource == .modificationTime ? [.startIsProvisional] : [])
      + (sensor.state == .shutdown && image.readAt != nil ? [.ageFrozen] : [])
      + (reader != nil && image.patchInfo == nil ? [.familyWithoutPatchInfo] : [])
  }

  /// The id of the reading: the same memory of the same sensor at the same time has the same id, encrypted or not.
  private func readingID(of content: MemoryContent) -> SampleID {
    let memory = HashFunction.sha256.hex(
      of: records?.bytes ?? Array(content.memory.bytes.prefix(content.dataByteCount)))
    return SampleID(name: "\(image.uid?.description ?? "-")/reading/\(image.readAt?.rfc3339 ?? "-")/\(memory)")
  }
}

extension ReadingSource {
  /// The source of a memory that was read from a sensor, not from a file.
  init(of image: MemoryImage) {
    self.init(
      tool: Program.tool, path: nil, format: nil, dump: nil, sha256: HashFunction.sha256.hex(of: image.bytes))
  }
}

extension [GlucoseSample] {
  /// Returns the samples with their times, which the bytes alone do not give: without times if the start is unknown.
  func dated(from activatedAt: Instant?) -> [GlucoseSample] {
    map { sample in
      var sample = sample
      sample.time = activatedAt?.adding(minutes: sample.minute.value)
      return sample
    }
  }
}

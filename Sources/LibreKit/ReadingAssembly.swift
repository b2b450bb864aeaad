// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Libre1Core

/// From a memory image to a reading: what the bytes say, plus what only the UID and the clock can add.
struct ReadingAssembly {
  let image: MemoryImage
  let readAtSource: ReadTimeSource
  let source: ReadingSource
  var reader: ReaderDescription?
  /// What is known to be wrong with the dump.
  var defect: DumpDefect?
  /// A good footer of the same sensor, for a memory whose own is damaged.
  var footer: [UInt8]?

  func reading(calibration: any CalibrationModel, salvaging: Bool) throws(LibreError) -> SensorReading {
    let decoded = Libre1Decoder.decode(try validated(salvaging: salvaging), calibration: calibration)
    let sensor = description(of: decoded.memory)
    return SensorReading(
      id: readingID, readAt: image.readAt, readAtSource: readAtSource, source: source, reader: reader, sensor: sensor,
      integrity: decoded.memory.integrity, calibration: decoded.calibration,
      history: decoded.history.samples.map { placed($0, activatedAt: sensor.activatedAt) },
      trend: decoded.trend.samples.map { placed($0, activatedAt: sensor.activatedAt) }, current: decoded.current,
      problems: decoded.problems + ownProblems(sensor),
      isSalvaged: decoded.memory.isSalvaged, memory: image)
  }

  /// The checked memory, once it is clear that it is a Libre 1's; else what it is instead.
  ///
  /// A dump that was cut off inside its footer has all samples, and is read like one with a bad footer.
  private func validated(salvaging: Bool) throws(LibreError) -> ValidatedFRAM {
    switch defect {
    case .overwrittenByProxmark where !salvaging: throw .dump(.overwrittenByProxmark)
    case .ambiguousUID where image.uid == nil: throw .dump(.ambiguousUID)
    case .overwrittenByProxmark, .ambiguousUID, nil: break
    }
    let isShort = image.bytes.count < MemoryMap.byteCount
    let cutOff = LibreError.dump(.truncated(found: image.bytes.count, needed: MemoryMap.byteCount))
    let whole = image.whole
    if image.bytes.isEmpty { throw cutOff }
    // What stands in a short image may already tell that it is blank or a Pro's; else the part of it that is whole tells.
    var kind = MemoryKind(of: image.bytes.span, missingBlocks: BlockSet(image.missingBlocks))
    if isShort, kind == .unrecognised {
      kind = MemoryKind(of: whole.bytes.span, missingBlocks: BlockSet(whole.missingBlocks))
    }
    if isShort, kind == .unrecognised, !salvaging { throw cutOff }
    do throws(MemoryError) {
      switch kind {
      // Salvaging takes what damage has left; where nothing holds there is nothing to tell it from noise.
      case .unrecognised where image.bytes.count >= MemoryMap.body.end: throw FamilyDetection.refusal(of: image)
      case .unrecognised, .libre1: break
      case .librePro, .blank: try kind.requireLibre1()
      }
      return try FRAM(whole).validated(salvaging: salvaging, footer: footer)
    } catch {
      if case .blockMissing = error, isShort { throw cutOff }
      throw .memory(error)
    }
  }

  /// What only the UID, the clock and the reader can tell.
  private func ownProblems(_ sensor: SensorDescription) -> [ReadingProblem] {
    (defect == .overwrittenByProxmark ? [.overwrittenByProxmark] : [])
      + (sensor.state == .shutdown && image.readAt != nil ? [.ageFrozen] : [])
      + (reader != nil && image.patchInfo == nil ? [.familyWithoutPatchInfo] : [])
  }

  private func description(of memory: ValidatedFRAM) -> SensorDescription {
    let family = FamilyDetection.family(of: image, footer: memory.footerFamily)
    let state = memory.state
    // A sensor in its box has no start, though its age reads 0.
    let activatedAt = state == .notActivated ? nil : image.readAt?.adding(minutes: -memory.ageMinutes)
    return SensorDescription(
      uid: image.uid, fingerprint: memory.fingerprint,
      serial: image.uid.flatMap { SerialNumber.text(for: $0, family: family) },
      patchInfo: image.patchInfo, family: family, region: memory.region, state: state, ageMinutes: memory.ageMinutes,
      maxLifeMinutes: memory.maxLifeMinutes, initializations: memory.initializations, activatedAt: activatedAt,
      expiresAt: memory.maxLifeMinutes.flatMap { activatedAt?.adding(minutes: $0) }, endOfLife: memory.endOfLife,
      failure: memory.failure)
  }

  /// The sample with the time and the id that the bytes alone do not give.
  private func placed(_ sample: GlucoseSample, activatedAt: Instant?) -> GlucoseSample {
    var sample = sample
    sample.time = activatedAt?.adding(minutes: sample.minute.value)
    sample.id = image.uid.map { UUIDv5.sample(uid: $0, ring: sample.ring, minute: sample.minute) }
    return sample
  }

  /// The same memory read at the same moment from the same sensor is the same reading.
  private var readingID: SampleID {
    let memory = Fingerprint.sha256(of: Array(image.bytes.prefix(MemoryMap.byteCount)))
    return UUIDv5.id(of: "\(image.uid?.description ?? "-")/reading/\(image.readAt?.rfc3339 ?? "-")/\(memory)")
  }
}

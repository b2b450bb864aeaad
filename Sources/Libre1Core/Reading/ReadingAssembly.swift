// SPDX-License-Identifier: Apache-2.0
// Embedded Swift cannot pass a value of any type that conforms to a protocol (see `AnyCalibrationModel`).
#if !hasFeature(Embedded)
  package import CGMModel

  /// Makes a reading of a memory: the decoded bytes, with facts from the UID and the clock.
  package struct ReadingAssembly {
    package let memory: CheckedMemory
    /// The layout that the scan found; nil to find it.
    let layout: (any SensorLayout)?
    let readAtSource: ReadTimeSource
    let source: ReadingSource
    let reader: ReaderDescription?
    /// A valid footer of the same sensor, for a memory with a damaged one.
    let footer: [UInt8]?

    package init(
      _ memory: CheckedMemory, layout: (any SensorLayout)? = nil, readAtSource: ReadTimeSource, source: ReadingSource,
      reader: ReaderDescription? = nil, footer: [UInt8]? = nil
    ) {
      (self.memory, self.layout, self.readAtSource, self.source) = (memory, layout, readAtSource, source)
      (self.reader, self.footer) = (reader, footer)
    }

    /// Decodes the memory with the values that the model gives.
    package func content(model: any CalibrationModel, salvaging: Bool) throws(MemoryError) -> MemoryContent {
      // A Libre 3 shows no block.
      let isReadable = memory.image.patchInfo?.family.isReadable ?? true
      if case .blank(let byte) = memory.kind, isReadable { throw .blank(byte) }
      let layout = layout ?? SensorLayouts.layout(of: memory)
      return try layout.content(of: memory, model: model, salvaging: salvaging, footer: footer)
    }

    /// `bytes` are those that make two readings the same one, `problems` what the source of the memory adds.
    package func reading(
      of content: MemoryContent, identifiedBy bytes: [UInt8]? = nil, problems: [ReadingProblem] = []
    ) -> SensorReading {
      let (sensor, readAt) = (content.sensor, memory.image.readAt)
      return SensorReading(
        id: id(of: bytes ?? Array(content.memory.bytes.prefix(content.dataByteCount))), readAt: readAt,
        readAtSource: readAtSource, source: source, reader: reader, sensor: sensor, integrity: content.integrity,
        calibration: content.calibration, history: content.history.dated(from: sensor.activatedAt),
        trend: content.trend.dated(from: sensor.activatedAt), current: content.current,
        problems: content.problems + problems + ownProblems(sensor), isSalvaged: content.isSalvaged,
        memory: content.memory, footer: content.footer)
    }

    private func ownProblems(_ sensor: SensorDescription) -> [ReadingProblem] {
      let doubt = sensor.activatedAt == nil ? nil : memory.image.readAt.flatMap(readAtSource.doubt)
      return (doubt.map { [.startInDoubt($0)] } ?? [])
        + (sensor.state == .shutdown && memory.image.readAt != nil ? [.ageFrozen] : [])
        + (reader != nil && memory.image.patchInfo == nil ? [.familyWithoutPatchInfo] : [])
    }

    /// The id of the reading: the same memory of the same sensor at the same time has the same id, encrypted or not.
    private func id(of bytes: [UInt8]) -> SampleID {
      let (uid, readAt) = (memory.image.uid?.description ?? "-", memory.image.readAt?.rfc3339 ?? "-")
      return SampleID(name: "\(uid)/reading/\(readAt)/\(HashFunction.sha256.hex(of: bytes))")
    }
  }

  extension ReadingSource {
    /// The source of a memory that was read from a sensor, not from a file.
    package init(of image: MemoryImage) {
      self.init(
        tool: Program.tool, path: nil, format: nil, dump: nil, sha256: HashFunction.sha256.hex(of: image.bytes))
    }
  }

  extension [GlucoseSample] {
    /// Returns the samples with their times, which the bytes alone do not give: without times if the start is unknown.
    package func dated(from activatedAt: Instant?) -> [GlucoseSample] {
      map { sample in
        var sample = sample
        sample.time = activatedAt?.adding(minutes: sample.minute.value)
        return sample
      }
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
// Embedded Swift cannot pass a value of any type that conforms to a protocol (see `AnyCalibrationModel`).
#if !hasFeature(Embedded)
  import CGMModel

  package struct MemoryContent {
    /// The memory, decrypted, so that a later version or another program can decode it without a key.
    let memory: MemoryImage
    /// The number of bytes that hold data, without the sensor's program.
    let dataByteCount: Int
    let integrity: MemoryIntegrity
    let isSalvaged: Bool
    let sensor: SensorDescription
    let calibration: CalibrationDescription?
    let history: [GlucoseSample]
    let trend: [GlucoseSample]
    let current: CurrentGlucose?
    let problems: [ReadingProblem]
    /// The footer of a Libre 1 memory, if its checksum is correct.
    var footer: [UInt8]?
  }

  extension MemoryContent {
    /// The content of a memory of which an app kept only the records; `image` has no bytes. Only a model that needs no
    /// parameters from the sensor gives values.
    package init(
      ofHistory history: [RawSample], trend: [RawSample], ageMinutes: Int, _ image: MemoryImage,
      model: any CalibrationModel
    ) {
      let description = model.description(for: nil)
      func samples(_ raws: [RawSample]) -> [GlucoseSample] {
        raws.map { raw in
          let sample = GlucoseSample(uncalibrated: raw)
          return description == nil ? sample : sample.recalibrated(by: model, parameters: nil, hasThermistor: false)
        }
      }
      func absent(_ region: MemoryMap.Region) -> RegionVerdict { .absent(BlockSet(Array(region.blocks))) }
      self.init(
        memory: image, dataByteCount: 0,
        integrity: MemoryIntegrity(
          header: absent(MemoryMap.header), body: absent(MemoryMap.body), footer: absent(MemoryMap.footer)),
        isSalvaged: false,
        sensor: SensorDescription(
          of: image, family: SensorFamily(ofPlain: nil, uid: image.uid, patchInfo: image.patchInfo),
          ageMinutes: ageMinutes),
        calibration: description, history: samples(history), trend: samples(trend), current: nil,
        problems: [.recordsOnly])
    }
  }

  extension SensorDescription {
    init(
      of image: MemoryImage, family: SensorFamily, fingerprint: SensorFingerprint? = nil, region: SensorRegion? = nil,
      state: SensorState = .unknown(nil), ageMinutes: Int, maxLifeMinutes: Int? = nil, initializations: Int? = nil,
      endOfLife: [EndOfLifeEntry] = [], failure: SensorFailure? = nil
    ) {
      let serial = image.uid.flatMap { SerialNumber.text(for: $0, family: family) }
      self.init(
        identity: SensorIdentity(
          uid: image.uid, fingerprint: fingerprint, serial: serial, family: family,
          product: SensorProduct(image.patchInfo, of: family)),
        patchInfo: image.patchInfo, region: region, state: state, ageMinutes: ageMinutes,
        maxLifeMinutes: maxLifeMinutes,
        initializations: initializations,
        // A sensor in its box has no start, though its age reads 0.
        activatedAt: state == .notActivated ? nil : image.readAt?.adding(minutes: -ageMinutes), endOfLife: endOfLife,
        failure: failure)
    }
  }
#endif

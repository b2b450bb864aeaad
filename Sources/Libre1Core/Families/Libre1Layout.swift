// SPDX-License-Identifier: Apache-2.0
// Embedded Swift cannot pass a value of any type that conforms to a protocol (see `AnyCalibrationModel`).
#if !hasFeature(Embedded)
  import CGMModel

  /// The 344 bytes of a Libre 1, also of US 14-day and Libre 2 sensors after decryption, and of any unknown layout.
  struct Libre1Layout: SensorLayout {
    let geometry = MemoryMap.geometry
    /// Decrypts the blocks that a scan reads; nil if they are not encrypted.
    var cipher: MemoryCipher?
    /// False if the key or the layout is unknown, so that a scan cannot use the checksums.
    var isReadable = true

    /// Returns nil for a memory that is not encrypted: its content is more reliable than the patch info.
    func named(by patchInfo: PatchInfo, uid: SensorUID?) -> Self? {
      if patchInfo.family.isReadable && !patchInfo.family.isEncrypted { return nil }
      // A UID that was removed from a recording cannot be used as a key.
      let cipher = uid.flatMap { $0.isWithheld ? nil : MemoryCipher(uid: $0, patchInfo: patchInfo) }
      return Self(cipher: cipher, isReadable: cipher != nil)
    }

    func proven(by memory: CheckedMemory) -> Self? {
      guard memory.kind == .unrecognised, memory.image.patchInfo == nil else { return nil }
      return RecoveredKey(memory.image).map { Self(cipher: $0.cipher) }
    }

    func plain(_ memory: CheckedMemory) -> CheckedMemory? {
      guard isReadable else { return nil }
      return cipher.map { CheckedMemory($0.applied(to: memory.image)) } ?? memory
    }

    func bodyTimestamp(in memory: CheckedMemory) -> BodyTimestamp? { BodyTimestamp(memory.image.bytes) }

    func content(
      of checked: CheckedMemory, model: any CalibrationModel, salvaging: Bool, footer: [UInt8]?
    ) throws(MemoryError) -> MemoryContent {
      let image = checked.image
      let decrypted = try PlainMemory(checked)
      let (plain, key) = (decrypted.memory, decrypted.recovered)
      try decrypted.requireProvenBody(salvaging: salvaging)
      let memory = try plain.fram.validated(salvaging: salvaging, footer: footer)
      let decoded = Libre1Decoder.decode(memory, calibration: model)
      let recovered = key.map {
        ReadingProblem.keyRecovered(uid: $0.uid, patchInfo: $0.facts.patchInfoText.description)
      }
      return MemoryContent(
        memory: plain.image, dataByteCount: MemoryMap.byteCount, integrity: memory.integrity,
        isSalvaged: memory.isSalvaged,
        sensor: SensorDescription(
          of: image,
          family: SensorFamily(
            ofPlain: key?.family ?? memory.footerFamily, uid: image.uid, patchInfo: image.patchInfo),
          fingerprint: memory.fingerprint, region: memory.region,
          state: memory.state, ageMinutes: memory.ageMinutes, maxLifeMinutes: memory.maxLifeMinutes,
          initializations: memory.initializations, endOfLife: memory.endOfLife, failure: memory.failure),
        calibration: decoded.calibration, history: decoded.history.samples, trend: decoded.trend.samples,
        current: decoded.current, problems: decoded.problems + [recovered].compactMap(\.self),
        footer: memory.footerBytes)
    }
  }
#endif

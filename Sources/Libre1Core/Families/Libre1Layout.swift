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

    /// The product of a readable memory: by patch info, else by the UID's third byte and the footer's constants.
    static func family(of image: MemoryImage, footer: SensorFamily?) -> SensorFamily {
      let named = image.patchInfo?.family
      // It is readable, so it was decrypted before; documents have one name for both generations of Libre 2.
      if named == .libre2Generation2 { return .libre2 }
      // A patch info of another family must be wrong, because the memory has this layout.
      if let named, [.libre1, .libreUS14Day, .libre2].contains(named) { return named }
      switch (footer, image.uid?.product) {
      case (let footer?, nil): return footer
      case (.libre1, 0xA0), (nil, 0xA0): return .libre1
      case (.libreUS14Day, 0xA0): return .libreUS14Day
      case (.libre2, 0xA4), (nil, 0xA4): return .libre2
      default: return .unknown
      }
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
      if salvaging, !decrypted.isBodyProven { throw .cannotDecrypt(image.patchInfo?.family ?? .unknown) }
      let memory = try plain.fram.validated(salvaging: salvaging, footer: footer)
      let decoded = Libre1Decoder.decode(memory, calibration: model)
      let recovered = key.map { ReadingProblem.keyRecovered(uid: $0.uid, patchInfo: $0.patchInfo) }
      return MemoryContent(
        memory: plain.image, dataByteCount: MemoryMap.byteCount, integrity: memory.integrity,
        isSalvaged: memory.isSalvaged,
        sensor: SensorDescription(
          of: image, family: Self.family(of: image, footer: key?.family ?? memory.footerFamily),
          fingerprint: memory.fingerprint, region: memory.region,
          state: memory.state, ageMinutes: memory.ageMinutes, maxLifeMinutes: memory.maxLifeMinutes,
          initializations: memory.initializations, endOfLife: memory.endOfLife, failure: memory.failure),
        calibration: decoded.calibration, history: decoded.history.samples, trend: decoded.trend.samples,
        current: decoded.current, problems: decoded.problems + [recovered].compactMap(\.self),
        footer: memory.footerBytes)
    }
  }
#endif

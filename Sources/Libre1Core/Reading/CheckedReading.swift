// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
  public import CGMModel

  extension MemoryImage {
    /// Computes the checksums of the memory. It cannot fail: the results say what is wrong.
    public func checked() -> CheckedMemory { CheckedMemory(self) }
  }

  extension CheckedMemory {
    /// Decodes the memory of any readable product, decrypted if it is encrypted and its UID and patch info are known.
    ///
    /// The samples have times if the image has the time of the read: that of the clock if a `reader` is named, else one that
    /// the program knows. `calibration` turns counts into glucose; nil for
    /// Abbott's formula with the sensor's own numbers. With `salvaging`, samples are decoded from a body with a
    /// wrong checksum too, and the reading is marked.
    ///
    /// - Throws: `MemoryError`: a wrong checksum, a missing block or key, or a product that cannot be read with public knowledge.
    public func reading(
      calibration: (any CalibrationModel)? = nil, reader: ReaderDescription? = nil, salvaging: Bool = false
    ) throws(MemoryError) -> SensorReading {
      let known: ReadTimeSource = reader == nil ? .option : .clock
      let assembly = ReadingAssembly(
        self, readAtSource: image.readAt == nil ? .unknown : known, source: ReadingSource(of: image), reader: reader)
      let model = calibration ?? FactoryCalibration()
      return assembly.reading(of: try assembly.content(model: model, salvaging: salvaging))
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport

@testable import Libre1Core

extension MemoryBuilder {
  var image: MemoryImage { MemoryImage(bytes: bytes, missingBlocks: missingBlocks) }

  func fram() throws(MemoryError) -> FRAM { try FRAM(image) }

  func validated(salvaging: Bool = false) throws(MemoryError) -> ValidatedFRAM {
    try fram().validated(salvaging: salvaging)
  }

  func decoded(
    calibration: any CalibrationModel = FactoryCalibration(), salvaging: Bool = false
  ) throws(MemoryError) -> DecodedMemory {
    Libre1Decoder.decode(try validated(salvaging: salvaging), calibration: calibration)
  }

  func validatedPro(salvaging: Bool = false) throws(MemoryError) -> ValidatedLibreProFRAM {
    try LibreProFRAM(image).validated(salvaging: salvaging)
  }

  func decodedPro(salvaging: Bool = false) throws(MemoryError) -> DecodedLibrePro {
    DecodedLibrePro(try validatedPro(salvaging: salvaging))
  }
}

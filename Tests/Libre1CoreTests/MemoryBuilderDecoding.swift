// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport

@testable import Libre1Core

extension MemoryBuilder {
  var image: MemoryImage { MemoryImage(bytes: bytes, missingBlocks: missingBlocks) }

  func fram() throws(MemoryError) -> FRAM {
    try FRAM(bytes.span, missingBlocks: BlockSet(missingBlocks))
  }

  func validated(salvaging: Bool = false) throws(MemoryError) -> ValidatedFRAM {
    try fram().validated(salvaging: salvaging)
  }

  func decoded(
    calibration: any CalibrationModel = FactoryCalibration(), salvaging: Bool = false
  ) throws(MemoryError) -> DecodedMemory {
    Libre1Decoder.decode(try validated(salvaging: salvaging), calibration: calibration)
  }

  func validatedPro(salvaging: Bool = false) throws(MemoryError) -> ValidatedLibrePro {
    try ValidatedLibrePro(CheckedMemory(image), salvaging: salvaging)
  }
}

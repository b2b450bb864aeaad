// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The 344 bytes of a Libre 1, which US 14-day and Libre 2 sensors have too, once they are decrypted.
struct Libre1Layout: SensorLayout {
  /// Whatever no other layout claims: damage is told by the checksums.
  func suits(_ image: MemoryImage, kind: MemoryKind) -> Bool { kind != .librePro }

  func content(
    of image: MemoryImage, model: any CalibrationModel, salvaging: Bool, footer: [UInt8]?
  ) throws(MemoryError) -> MemoryContent {
    let decrypted = try PlainMemory(image)
    let plain = decrypted.image
    if salvaging, !decrypted.isBodyProven { throw .cannotDecrypt(image.patchInfo?.family ?? .unknown) }
    let memory = try FRAM(plain.whole).validated(salvaging: salvaging, footer: footer)
    return MemoryContent(
      Libre1Decoder.decode(memory, calibration: model), of: plain, recoveredKey: decrypted.recovered)
  }
}

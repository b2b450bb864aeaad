// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The 176 bytes of a Libre Pro or Libre H, and the two weeks of history behind them (FORMAT 7).
struct LibreProLayout: SensorLayout {
  /// Where all its checksums hold; of a damaged memory two of them, or one and the patch info.
  func suits(_ image: MemoryImage, kind: MemoryKind) -> Bool {
    switch kind {
    case .librePro: true
    case .libre1, .blank: false
    case .unrecognised:
      LibreProMap.trustedRegions(in: image.bytes.span) >= (image.patchInfo?.family == .librePro ? 1 : 2)
    }
  }

  func content(
    of image: MemoryImage, model: any CalibrationModel, salvaging: Bool, footer: [UInt8]?
  ) throws(MemoryError) -> MemoryContent {
    let memory = try LibreProFRAM(image).validated(salvaging: salvaging)
    return MemoryContent(DecodedLibrePro(memory), of: image, model: model)
  }
}

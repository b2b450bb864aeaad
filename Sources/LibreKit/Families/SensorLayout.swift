// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// A way in which sensors lay out their memory, however many products share it. A new one is one file, and one line in
/// the registry.
protocol SensorLayout: Sendable {
  /// True for a memory that is to be read in this way.
  func suits(_ image: MemoryImage, kind: MemoryKind) -> Bool

  /// What the memory says.
  ///
  /// `model` turns counts into concentrations; `footer` is a good one of the same sensor, for a memory whose own is
  /// damaged. Throws what is wrong with the bytes.
  func content(
    of image: MemoryImage, model: any CalibrationModel, salvaging: Bool, footer: [UInt8]?
  ) throws(MemoryError) -> MemoryContent
}

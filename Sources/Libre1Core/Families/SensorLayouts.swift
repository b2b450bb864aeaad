// SPDX-License-Identifier: Apache-2.0
// Embedded Swift cannot pass a value of any type that conforms to a protocol (see `AnyCalibrationModel`).
#if !hasFeature(Embedded)
  package import CGMModel

  /// All layouts of memory. A memory of an unknown layout is read like a Libre 1's.
  package enum SensorLayouts {
    package static let all: [any SensorLayout] = [LibreProLayout(), usual]
    package static let usual: any SensorLayout = Libre1Layout()

    package static func layout(of family: SensorFamily) -> any SensorLayout {
      all.first { $0.geometry.family == family } ?? usual
    }

    /// The layout to decode a memory with. Its checksums decide, as they are more reliable than the patch info.
    package static func layout(
      of memory: CheckedMemory, otherwise assumed: any SensorLayout = usual
    ) -> any SensorLayout { all.first { $0.suits(memory) } ?? assumed }
  }
#endif

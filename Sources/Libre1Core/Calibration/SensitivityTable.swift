// SPDX-License-Identifier: Apache-2.0

/// Sensitivity and offset by i2, stored as 124 rows and a rule (read: the lists of 1023 pairs in five public programs;
/// verified: this expands to exactly their doubles, Libre1Core/Calibration, "Sensitivity table").
enum SensitivityTable {
  static func entry(_ i2: Int) -> (offset: Double, sensitivity: Double)? {
    guard (1...count).contains(i2) else { return nil }
    var rest = i2 - 1
    for index in bands.indices {
      let band = bands[index]
      let entries = band.rows.count * band.steps
      if rest < entries {
        return (
          band.firstOffset + 0.25 * Double(rest % band.steps), sensitivity[band.rows.lowerBound + rest / band.steps]
        )
      }
      rest -= entries
    }
    return nil
  }

  /// The number of entries in all bands: 64 × 8 + 23 × 9 + 29 × 8 + 8 × 9.
  static let count = 1023

  private struct Band {
    let rows: Range<Int>
    let steps: Int
    let firstOffset: Double
  }

  private static let bands: InlineArray<4, Band> = [
    Band(rows: 0..<64, steps: 8, firstOffset: 0.75), Band(rows: 64..<87, steps: 9, firstOffset: 0.75),
    Band(rows: 87..<116, steps: 8, firstOffset: 1.00), Band(rows: 116..<124, steps: 9, firstOffset: 1.00),
  ]

  private static let sensitivity: InlineArray<124, Double> = [
    0.0377442, 0.0381217, 0.0385029, 0.0388879, 0.0392768, 0.0396696, 0.0400663, 0.0404669,
    0.0408716, 0.0412803, 0.0416931, 0.04211, 0.0425311, 0.0429565, 0.043386, 0.0438199,
    0.0442581, 0.0447007, 0.0451477, 0.0455991, 0.0460551, 0.0465157, 0.0469808, 0.0474506,
    0.0479252, 0.0484044, 0.0488884, 0.0493773, 0.0498711, 0.0503698, 0.0508735, 0.0513823,
    0.0518961, 0.052415, 0.0529392, 0.0534686, 0.0540033, 0.0545433, 0.0550887, 0.0556396,
    0.056196, 0.056758, 0.0573256, 0.0578988, 0.0584778, 0.0590626, 0.0596532, 0.0602497,
    0.0608522, 0.0614607, 0.0620754, 0.0626961, 0.0633231, 0.0639563, 0.0645959, 0.0652418,
    0.0658942, 0.0665532, 0.0672187, 0.0678909, 0.0685698, 0.0692555, 0.0699481, 0.0706475,
    0.071354, 0.0720676, 0.0727882, 0.0735161, 0.0742513, 0.0749938, 0.0757437, 0.0765012,
    0.0772662, 0.0780388, 0.0788192, 0.0796074, 0.0804035, 0.0812075, 0.0820196, 0.0828398,
    0.0836682, 0.0845049, 0.0853499, 0.0862034, 0.0870655, 0.0879361, 0.0888155, 0.0897036,
    0.0906007, 0.0915067, 0.0924217, 0.093346, 0.0942794, 0.0952222, 0.0961744, 0.0971362,
    0.0981075, 0.0990886, 0.1000795, 0.1010803, 0.1020911, 0.103112, 0.1041431, 0.1051846,
    0.1062364, 0.1072988, 0.1083718, 0.1094555, 0.11055, 0.1116555, 0.1127721, 0.1138998,
    0.1150388, 0.1161892, 0.1173511, 0.1185246, 0.1197099, 0.120907, 0.122116, 0.1233372,
    0.1245706, 0.1258163, 0.1270744, 0.1283452,
  ]
}

// SPDX-License-Identifier: Apache-2.0

/// The numbers that Abbott measured for each sensor in the factory (read: DiaBLE, LibreTransmitter; verified with
/// Abbott's own output, Libre1Core/Calibration, "How it was checked"). i1 and i5 are stored, but the formula does not
/// use them.
public struct CalibrationParameters: Hashable, Sendable {
  package let i1: Int
  /// Row of the sensitivity table, 1…1023; 0 has no row.
  package let i2: Int
  /// Counts at zero current, −255…255.
  package let i3: Int
  /// Counts at the reference current, 0…16383.
  package let i4: Int
  package let i5: Int
  /// Thermistor reference, 0…16380 in steps of 4.
  package let i6: Int

  package init(i1: Int, i2: Int, i3: Int, i4: Int, i5: Int, i6: Int) {
    self.i1 = i1
    self.i2 = i2
    self.i3 = i3
    self.i4 = i4
    self.i5 = i5
    self.i6 = i6
  }
}

/// The only place that knows the numbers by their names, which JSON, CSV and the store's rows have.
extension CalibrationParameters {
  private static let names = ["i1", "i2", "i3", "i4", "i5", "i6"]

  /// The numbers that the fields of a footer can hold, wide enough for each.
  private static let possible = -0x7FFF...0x7FFF

  /// The numbers with their names, in the order in which they are shown.
  var named: [CalibrationDescription.Parameter] {
    zip(Self.names, [i1, i2, i3, i4, i5, i6]).map { .init($0, Double($1)) }
  }

  /// Reads the numbers in any order; nil if one is missing, is not whole or is not a sensor's, and if there are others.
  init?(named parameters: [CalibrationDescription.Parameter]) {
    guard parameters.count == Self.names.count else { return nil }
    var numbers: [Int] = []
    for name in Self.names {
      guard let value = parameters.first(where: { $0.name == name })?.value else { return nil }
      let number = Int(saturating: value)
      guard Double(number) == value, Self.possible.contains(number) else { return nil }
      numbers.append(number)
    }
    self.init(i1: numbers[0], i2: numbers[1], i3: numbers[2], i4: numbers[3], i5: numbers[4], i6: numbers[5])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Six bytes of a ring, with what LibreDocuments/Contract, "Value" and Libre1Core/Calibration, "Factory formula" make
/// of them.
struct SlowRecord {
  let minute: Int
  let glucose: Int
  let errorField: Int
  let hasError: Bool
  let temperature: Int
  let adjustment: Int
  let isNeverWritten: Bool
  /// nil where the resistance is not above zero, or the footer is not known.
  let celsius: Double?
  let quality: String
  /// The temperature is so near to a limit that the last digit of a logarithm decides.
  let isAtLimit: Bool

  init(_ memory: SlowMemory, at place: Int, minute: Int) {
    self.minute = minute
    glucose = memory.bits(0...13, at: place)
    errorField = memory.bits(14...24, at: place)
    hasError = memory.bits(25...25, at: place) == 1
    temperature = 4 * memory.bits(26...37, at: place)
    let magnitude = 4 * memory.bits(38...46, at: place)
    adjustment = memory.bits(47...47, at: place) == 1 ? -magnitude : magnitude
    isNeverWritten = memory.bytes[place..<place + 6].allSatisfy { $0 == 0 }
    let celsius = memory.isFooterKnown ? Self.celsius(temperature, adjustment, i6: memory.i6) : nil
    self.celsius = celsius
    isAtLimit = celsius.map { celsius in [0, 20, 40, 50].contains { abs(celsius - $0) < 1e-6 } } ?? false
    let isWarm = celsius.map { $0 >= 20 && $0 <= 40 } ?? false
    if isNeverWritten {
      quality = "never_written"
    } else if hasError {
      quality = "error"
    } else if glucose < memory.minimumRaw {
      quality = "low_signal"
    } else if memory.isFooterKnown, !isWarm {
      quality = "temperature"
    } else {
      quality = minute < 60 ? "warm_up" : "ok"
    }
  }

  /// The thermistor formula of Libre1Core/Calibration, "Factory formula" with the platform's logarithm.
  private static func celsius(_ temperature: Int, _ adjustment: Int, i6: Int) -> Double? {
    let denominator = adjustment + i6
    guard denominator > 0 else { return nil }
    let ohms = (Double(temperature) * 72_500 - Double(denominator) * 1_000) / Double(denominator)
    guard ohms > 0 else { return nil }
    let l = Foundation.log(ohms)
    return 1 / (0.0009180023 + 0.0001964561 * l + 0.0000007061775 * l * l + 0.00000005283566 * l * l * l) - 273.15
  }

  /// True if LibreDocuments/Contract, "Value" lets the record have a value at all, `isKnown` being whether the footer
  /// gives a thermistor.
  func mayHaveValue(isKnown: Bool) -> Bool {
    !hasError && glucose > 0 && (celsius.map { $0 >= 0 && $0 <= 50 } ?? !isKnown)
  }
}

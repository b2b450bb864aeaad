// SPDX-License-Identifier: Apache-2.0
package import MeterProtocols

/// The digits that pair a meter, as the user typed them: one to six, leading zeros kept.
package struct Passkey: Hashable, Sendable {
  let digits: String
  /// 0 to 999,999.
  let number: UInt32

  /// The digits in a text; spaces around them and inside are ignored. Nil for anything else.
  package init?(_ text: String) {
    let digits = text.filter { $0 != " " }
    guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = UInt32(digits)
    else { return nil }
    self.digits = digits
    self.number = number
  }
}

/// Asks the user for the digits that a meter shows or that stand on its label. Nil if the user gives up.
///
/// It is called while bluetoothd waits, for at most a minute; its task is cancelled when the meter no longer waits.
package typealias PasskeySource = @Sendable (_ meter: MeterIdentity) async -> Passkey?

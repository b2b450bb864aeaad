// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// The user's own name for the person, which is sent with every value.
package enum ReferenceID {
  package static let key = "reference_id"
  package static let variable = "LIBRE_REFERENCE_ID"
  package static let allowed =
    "up to 128 bytes without control characters and without @, so not an e-mail address; or nothing"

  package static func accepts(_ text: String) -> Bool {
    text.utf8.count <= 128 && text.unicodeScalars.allSatisfy { SafeText.isPrintable($0) && $0 != "@" }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Crypto
import TextFormats

/// A Content-Security-Policy that allows one style sheet and one script, by the hash of what stands in the page, and
/// requests to the page's own server.
struct ContentPolicy {
  /// The style element's text, or nil for a page whose elements have style attributes too, which no hash covers.
  let style: String?
  let script: String

  var header: (name: String, value: String) {
    let styles = style.map(Self.hash) ?? "'unsafe-inline'"
    return (
      "Content-Security-Policy",
      "default-src 'none'; style-src \(styles); script-src \(Self.hash(script)); connect-src 'self'; img-src data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
  }

  private static func hash(_ text: String) -> String {
    "'sha256-\(Base64Text.encoded(Array(SHA256.hash(data: Array(text.utf8)))))'"
  }
}

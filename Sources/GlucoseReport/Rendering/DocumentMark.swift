// SPDX-License-Identifier: Apache-2.0

/// Text by which the documents of this module are recognized, so that a newer one can replace an older one and no file of
/// somebody else is lost.
package enum DocumentMark {
  /// Text in the head of every report page.
  package static let page = "<title>Glucose report, "
  /// The beginning of the root element of every picture.
  package static let picture = #"<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" "#
}

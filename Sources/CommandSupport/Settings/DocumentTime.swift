// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreKit

extension Program {
  /// The moment at which an export, a report or statistics are made: now, or what `SOURCE_DATE_EPOCH` says
  /// (reproducible-builds.org), so that the same history always gives the same bytes.
  /// - Throws: `configuration(badOption)` for a variable that is not a time.
  package static func documentTime(_ environment: [String: String]) throws(LibreError) -> Instant {
    let name = "SOURCE_DATE_EPOCH"
    guard let text = environment[name], !text.isEmpty else { return LocalTime.now }
    guard let seconds = Int64(text), Instant.writable.contains(Instant(secondsSince1970: seconds)) else {
      throw .configuration(.badOption(name: name, value: text, allowed: "whole seconds since 1970, or unset it"))
    }
    return Instant(secondsSince1970: seconds)
  }
}

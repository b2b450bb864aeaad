// SPDX-License-Identifier: Apache-2.0
package import CGMModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Local time from libc, which reads `TZ` and `/etc/localtime` and knows summer time.
///
/// Foundation is not used: linked statically it finds no zones and shows UTC without a warning (Decisions/0001).
public enum LocalTime {
  /// Returns the number of seconds by which local time was ahead of UTC at that moment; nil if libc does not know it.
  package static func offsetSeconds(at instant: Instant) -> Int? {
    var seconds = time_t(instant.secondsSince1970)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return nil }
    return parts.tm_gmtoff
  }

  /// The clock of this process's time zone.
  package static var clock: LocalClock { LocalClock(zoneName: zoneName) { offsetSeconds(at: $0) ?? 0 } }

  /// Returns local time with its offset: `2024-05-02 12:15:00 +02:00`.
  package static func text(_ instant: Instant) -> String {
    let offset = offsetSeconds(at: instant) ?? 0
    let text = instant.rfc3339(offsetSeconds: offset)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) \(Instant.offset(offset))"
  }

  /// Returns local time to the minute, without the offset: `2024-05-02 12:15`.
  package static func minuteText(_ instant: Instant) -> String { String(text(instant).prefix(16)) }

  /// Sets the time zone of this process; returns false, without a change, if the zone does not exist.
  @discardableResult package static func setZone(_ name: String) -> Bool {
    guard isZone(name) else { return false }
    setenv("TZ", name, 1)
    tzset()
    return true
  }

  /// The name of this process's time zone, `Europe/Rome`; nil if it has none, as with `TZ=CET-1CEST`.
  public static var zoneName: String? {
    if let zone = getenv("TZ").map({ String(cString: $0) }) {
      let name = zone.hasPrefix(":") ? String(zone.dropFirst()) : zone
      return isZone(name) ? name : nil
    }
    let target = FileSystem.resolved("/etc/localtime")
    guard let range = target.firstRange(of: "/zoneinfo/") else { return nil }
    let name = String(target[range.upperBound...])
    return isZone(name) ? name : nil
  }

  /// Returns nil in the hour that is skipped, the first moment in the hour that is repeated.
  package static func instant(of wall: CivilTime) -> Instant? { clock.moments(of: wall).first }

  package static var now: Instant { Instant(secondsSince1970: Int64(time(nil))) }

  /// True if the system has a zone of this name. This has to be checked, because libc treats an unknown name as UTC
  /// without an error.
  package static func isZone(_ name: String) -> Bool {
    guard !name.isEmpty, !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else { return false }
    if name == "UTC" { return true }
    let directory = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    // The directory has lists and tables too; only zones begin with this signature (RFC 9636).
    return (try? FileSystem.read("\(directory)/\(name)", limit: 1 << 20))?.starts(with: "TZif".utf8) ?? false
  }
}

// SPDX-License-Identifier: Apache-2.0
public import CGMModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The clock on the wall, from libc: `TZ`, `/etc/localtime` and daylight saving are its business.
///
/// Foundation is left out on purpose: linked statically it loses all zones and shows UTC without a word (LibreKit's Decisions/0003).
public enum LocalTime {
  /// Seconds that local time was ahead of UTC at that moment; nil if libc cannot say.
  public static func offsetSeconds(at instant: Instant) -> Int? {
    var seconds = time_t(instant.secondsSince1970)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return nil }
    return parts.tm_gmtoff
  }

  /// The clock of this process's zone.
  public static var clock: LocalClock { LocalClock(zoneName: zoneName) { offsetSeconds(at: $0) ?? 0 } }

  /// `2024-05-02 12:15:00 +02:00`.
  public static func text(_ instant: Instant) -> String {
    let offset = offsetSeconds(at: instant) ?? 0
    let text = instant.rfc3339(offsetSeconds: offset)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) \(Instant.offset(offset))"
  }

  /// To the minute, without the offset: `2024-05-02 12:15`.
  public static func minuteText(_ instant: Instant) -> String { String(text(instant).prefix(16)) }

  /// Makes `name` the zone of this process; false if there is no such zone, and then nothing changes.
  @discardableResult public static func setZone(_ name: String) -> Bool {
    guard isZone(name) else { return false }
    setenv("TZ", name, 1)
    tzset()
    return true
  }

  /// The name of this process's zone, `Europe/Rome`; nil where it has none, as with `TZ=CET-1CEST`.
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

  /// The moment at which the clock on the wall shows this; nil in the hour that is left out. Of an hour that comes twice
  /// the first is meant.
  public static func instant(of wall: CivilTime) -> Instant? { clock.moments(of: wall).first }

  /// The present moment.
  public static var now: Instant { Instant(secondsSince1970: Int64(time(nil))) }

  /// True if the system has a zone of this name. libc takes an unknown name for UTC without a word, so it is looked up first.
  public static func isZone(_ name: String) -> Bool {
    guard !name.isEmpty, !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else { return false }
    if name == "UTC" { return true }
    let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    // Lists and tables lie beside the zones; only a zone begins so (RFC 9636).
    return (try? FileSystem.read("\(folder)/\(name)", limit: 1 << 20))?.starts(with: "TZif".utf8) ?? false
  }
}

// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

/// Facts about a machine that affect reading a sensor. Collecting them opens and changes nothing.
package struct SystemFacts: Hashable, Sendable {
  package var usbDevices: [USBDevice] = []
  /// Loaded modules out of `kernelDrivers`.
  package var kernelModules: [String] = []
  /// True if pcscd is installed in one of the usual places; it may run from elsewhere.
  package var hasDaemon = false
  package var usesSystemd = false
  package var hasModemManager = false
  /// True if the rule that lets the group plugdev use PC/SC is installed, as the package does.
  package var hasPolkitRule = false
  /// The USB ids that the installed CCID drivers list; nil if there is no driver.
  package var driverIDs: Set<KnownReader.USBID>?
  /// Serial ports that can belong to a Proxmark3, a Flipper Zero or a PN532Killer.
  package var serialPorts: [SerialDevice] = []
  /// The configuration file if other users of the machine can write it; else nil.
  package var exposedConfiguration: String?
  package var timeZone = TimeZone(name: nil, isKnown: true, winterOffset: 0, summerOffset: 0)
  /// The time that the clock shows.
  package var now: Instant?
  /// True once systemd's time service has set the clock since the start of the machine; nil if it does not run: another
  /// service may.
  package var isClockSynchronised: Bool?

  /// Time zone that libc derives from `TZ` and `/etc/localtime`.
  package struct TimeZone: Hashable, Sendable {
    /// `Europe/Rome`, or a rule; nil if the system has none.
    package var name: String?
    /// False if the system does not know the name in `TZ`; libc then silently uses UTC.
    package var isKnown: Bool
    /// Seconds ahead of UTC on 2024-01-02, at noon.
    package var winterOffset: Int
    /// Seconds ahead of UTC on 2024-05-02, at noon.
    package var summerOffset: Int

    package init(name: String?, isKnown: Bool, winterOffset: Int, summerOffset: Int) {
      self.name = name
      self.isKnown = isKnown
      self.winterOffset = winterOffset
      self.summerOffset = summerOffset
    }

    static let winter = Instant(secondsSince1970: 1_704_196_800)
    static let summer = Instant(secondsSince1970: 1_714_651_200)
  }

  /// Linux drivers that claim NFC readers (read: pn533, port100).
  static let kernelDrivers = ["pn533_usb", "port100"]
  private static let daemons = ["/usr/sbin/pcscd", "/usr/bin/pcscd", "/usr/local/sbin/pcscd"]
  private static let modemManagers = ["/usr/sbin/ModemManager", "/usr/bin/ModemManager"]
  private static let polkitRules = [
    "/usr/share/polkit-1/rules.d/60-libre.rules", "/etc/polkit-1/rules.d/60-libre.rules",
  ]
  private static let driverDirectories = [
    "/usr/lib/pcsc/drivers", "/usr/lib64/pcsc/drivers", "/usr/local/lib/pcsc/drivers",
  ]

  /// Creates facts without any content, for a program to fill in.
  package init() {}

  /// Collects the facts below `root`, the directory that stands for `/`.
  package init(root: String, environment: [String: String]) {
    let root = root.hasSuffix("/") ? String(root.dropLast()) : root
    usbDevices = Self.usbDevices(in: root + "/sys/bus/usb/devices")
    kernelModules = Self.kernelDrivers.filter { FileSystem.isFolder("\(root)/sys/module/\($0)") }
    hasDaemon = Self.daemons.contains { FileSystem.exists(root + $0) }
    usesSystemd = FileSystem.isFolder(root + "/run/systemd/system")
    hasModemManager = Self.modemManagers.contains { FileSystem.exists(root + $0) }
    hasPolkitRule = Self.polkitRules.contains { FileSystem.exists(root + $0) }
    driverIDs = Self.driverIDs(in: Self.driverDirectories.map { root + $0 })
    serialPorts = SerialDevice.all(root: root)
    timeZone = Self.timeZone(localtime: root + "/etc/localtime", environment["TZ"])
    now = LocalTime.now
    let service = root + "/run/systemd/timesync"
    isClockSynchronised = FileSystem.isFolder(service) ? FileSystem.exists(service + "/synchronized") : nil
  }

  /// Those of this machine, but for the user's own time zone.
  package static var here: SystemFacts { SystemFacts(root: "/", environment: [:]) }

  // MARK: Files

  private static func usbDevices(in directory: String) -> [USBDevice] {
    let names = names(in: directory)
    return names.compactMap { name in
      // The interfaces of device 1-2 are in the same directory, as 1-2:1.0.
      let classes = names.filter { $0.hasPrefix("\(name):") }
        .compactMap { USBDevice.line("\(directory)/\($0)/bInterfaceClass") }
      return USBDevice(directory: "\(directory)/\(name)", interfaceClasses: classes)
    }
  }

  private static func driverIDs(in directories: [String]) -> Set<KnownReader.USBID>? {
    let lists = directories.flatMap { directory in
      names(in: directory).filter { $0.hasSuffix(".bundle") }.compactMap {
        text("\(directory)/\($0)/Contents/Info.plist")
      }
    }
    return lists.isEmpty ? nil : lists.reduce(into: []) { $0.formUnion(DriverList.ids(in: $1)) }
  }

  private static func timeZone(localtime: String, _ variable: String?) -> TimeZone {
    let offsets = [TimeZone.winter, TimeZone.summer].map { LocalTime.offsetSeconds(at: $0) ?? 0 }
    var name = variable.map { $0.isEmpty ? "UTC" : String($0.drop { $0 == ":" }) }
    if name == nil, let place = FileSystem.resolved(localtime).firstRange(of: "zoneinfo/") {
      name = String(FileSystem.resolved(localtime)[place.upperBound...])
    }
    // A path, or a rule such as CET-1CEST, is not looked up.
    let isName = name.map { !$0.isEmpty && !$0.hasPrefix("/") && !$0.contains(/[0-9]/) } ?? false
    let isKnown = !isName || variable == nil || LocalTime.isZone(name ?? "")
    return TimeZone(name: name, isKnown: isKnown, winterOffset: offsets[0], summerOffset: offsets[1])
  }

  /// Sorted names in a directory; empty if it does not exist.
  private static func names(in directory: String) -> [String] {
    ((try? FileSystem.names(in: directory)) ?? []).sorted()
  }

  /// Content of a system file; nil if it is missing or larger than 16 MiB.
  private static func text(_ path: String) -> String? {
    (try? FileSystem.read(path, limit: 1 << 24)).map { String(decoding: $0, as: UTF8.self) }
  }
}

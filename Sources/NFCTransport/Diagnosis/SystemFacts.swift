// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Facts about a machine that affect reading a sensor. Collecting them opens and changes nothing.
package struct SystemFacts: Hashable, Sendable {
  package var usbDevices: [USBDevice] = []
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
  package var now: Instant?
  /// True once systemd's time service has set the clock; nil if it does not run: another service may.
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

    static let winter = Instant(secondsSince1970: 1_704_196_800)
    static let summer = Instant(secondsSince1970: 1_714_651_200)
  }

  /// Linux drivers that claim NFC readers (read: pn533, port100).
  static let kernelDrivers = ["pn533_usb", "port100"]
  private static let driverDirectories = [
    "/usr/lib/pcsc/drivers", "/usr/lib64/pcsc/drivers", "/usr/local/lib/pcsc/drivers",
  ]

  package init() {}

  /// Collects the facts below `root`, the directory that stands for `/`.
  package init(root: String, environment: [String: String]) {
    let root = root.hasSuffix("/") ? String(root.dropLast()) : root
    usbDevices = USBDevice.all(root: root)
    kernelModules = Self.kernelDrivers.filter { FileSystem.isFolder("\(root)/sys/module/\($0)") }
    func isAnywhere(_ paths: String...) -> Bool { paths.contains { FileSystem.exists(root + $0) } }
    hasDaemon = isAnywhere("/usr/sbin/pcscd", "/usr/bin/pcscd", "/usr/local/sbin/pcscd")
    usesSystemd = FileSystem.isFolder(root + "/run/systemd/system")
    hasModemManager = isAnywhere("/usr/sbin/ModemManager", "/usr/bin/ModemManager")
    hasPolkitRule = isAnywhere(
      "/usr/share/polkit-1/rules.d/60-libre.rules", "/etc/polkit-1/rules.d/60-libre.rules")
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

  private static func driverIDs(in directories: [String]) -> Set<KnownReader.USBID>? {
    let lists = directories.flatMap { directory in
      FileSystem.sortedNames(in: directory).filter { $0.hasSuffix(".bundle") }.compactMap {
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

  private static func text(_ path: String) -> String? {
    (try? FileSystem.read(path, limit: 1 << 24)).map { String(decoding: $0, as: UTF8.self) }
  }
}

package struct USBDevice: Hashable, Sendable {
  package var id: KnownReader.USBID
  /// The maker's name as the device gives it; nil if it does not.
  package var manufacturer: String?
  package var product: String?
  /// True if one of its interfaces has the class of smart card readers (CCID, 0B), which is what PC/SC looks for.
  package var isCardReader: Bool
  /// True for an Android phone with USB debugging on, which has an interface for that.
  package var isDebuggedPhone = false
  /// True for a phone, or a camera or player, with an interface of this name (remembered: Android).
  package var sharesFiles = false

  package init(id: KnownReader.USBID, manufacturer: String? = nil, product: String?, isCardReader: Bool) {
    self.id = id
    self.manufacturer = manufacturer
    self.product = product
    self.isCardReader = isCardReader
  }

  /// All that are plugged in below `root`, the directory that stands for `/`.
  static func all(root: String = "") -> [USBDevice] {
    let directory = root + "/sys/bus/usb/devices"
    let names = FileSystem.sortedNames(in: directory)
    return names.compactMap { name in
      // The interfaces of device 1-2 are in the same directory, as 1-2:1.0.
      let interfaces = names.filter { $0.hasPrefix("\(name):") }.map { interface in
        ["bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol", "interface"].map {
          FileSystem.firstLine(of: "\(directory)/\(interface)/\($0)") ?? ""
        }.joined()
      }
      return USBDevice(directory: "\(directory)/\(name)", interfaces: interfaces)
    }
  }

  /// The device with this directory in sysfs; nil if it is not that of a device. Interfaces are
  /// class, subclass and protocol in hex, as the kernel writes them, and a name.
  init?(directory: String, interfaces: [String] = []) {
    let vendor = FileSystem.firstLine(of: "\(directory)/idVendor").flatMap { UInt16($0, radix: 16) }
    let product = FileSystem.firstLine(of: "\(directory)/idProduct").flatMap { UInt16($0, radix: 16) }
    guard let vendor, let product else { return nil }
    self.init(
      id: KnownReader.USBID(vendor: vendor, product: product),
      manufacturer: FileSystem.firstLine(of: "\(directory)/manufacturer"),
      product: FileSystem.firstLine(of: "\(directory)/product"),
      isCardReader: interfaces.contains { $0.hasPrefix("0b") })
    isDebuggedPhone = interfaces.contains { $0.hasPrefix("ff4201") }
    sharesFiles = interfaces.contains { $0.dropFirst(6) == "MTP" }
  }
}

package struct SerialDevice: Hashable, Sendable {
  package var path: String
  /// True if this user may read and write it.
  package var isUsable: Bool
  /// nil where no USB device is behind it, or the kernel does not say.
  package var usb: USBDevice?
  /// True if a rule of udev keeps ModemManager from opening it.
  package var isLeftAlone = false

  /// All that are plugged in below `root`, the directory that stands for `/`; none of them is opened.
  package static func all(root: String = "") -> [SerialDevice] {
    let names = FileSystem.sortedNames(in: root + "/dev")
    return names.filter { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }.map { name in
      // The link `device` leads to the interface, whose parent is the device; behind a USB-to-serial chip the port has
      // a directory of its own in between (read: the kernel's cdc-acm and usb-serial).
      let device = "\(root)/sys/class/tty/\(name)/device"
      let usb = USBDevice(directory: "\(device)/..") ?? USBDevice(directory: "\(device)/../..")
      return SerialDevice(
        path: "/dev/\(name)", isUsable: FileSystem.mayUse("\(root)/dev/\(name)"), usb: usb,
        isLeftAlone: isLeftAlone("\(root)/sys/class/tty/\(name)/dev", root))
    }
  }

  /// udev keeps what its rules have set by the device's number (read: ModemManager, for the two names).
  private static func isLeftAlone(_ numberFile: String, _ root: String) -> Bool {
    guard let number = FileSystem.firstLine(of: numberFile),
      let file = try? FileSystem.read("\(root)/run/udev/data/c\(number)", limit: 1 << 16)
    else { return false }
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    return lines.contains("E:ID_MM_PORT_IGNORE=1") || lines.contains("E:ID_MM_DEVICE_IGNORE=1")
  }
}

/// Devices that a CCID driver lists in its `Info.plist`: pcscd starts it for no others (read: pcsc-lite).
enum DriverList {
  /// Pairs the arrays `ifdVendorID` and `ifdProductID` by position. Text of another kind gives an empty set.
  static func ids(in text: String) -> Set<KnownReader.USBID> {
    Set(
      zip(numbers(of: "ifdVendorID", in: text), numbers(of: "ifdProductID", in: text)).compactMap { vendor, product in
        guard let vendor, let product else { return nil }
        return KnownReader.USBID(vendor: vendor, product: product)
      })
  }

  /// Numbers of one array; nil for an invalid number, so that the others keep their positions.
  private static func numbers(of key: String, in text: String) -> [UInt16?] {
    guard let start = text.firstRange(of: "<key>\(key)</key>")?.upperBound,
      let end = text[start...].firstRange(of: "</array>")?.lowerBound
    else { return [] }
    return text[start..<end].split(separator: "<string>").dropFirst().map { item in
      let digits = item.prefix { $0 != "<" }
      return digits.lowercased().hasPrefix("0x") ? UInt16(digits.dropFirst(2), radix: 16) : UInt16(digits)
    }
  }

  /// A shell command that inserts a reader at the start of all three arrays of Debian's list, which keep the same
  /// order.
  ///
  /// `name` is inserted unescaped: it must come from the catalogue, not from the device. Each array must begin on the
  /// line after its key, as in libccid 1.5.2 (run on a copy; pcscd was not tried with it).
  static func lineAdding(_ id: KnownReader.USBID, named name: String) -> String {
    let edits = [
      ("ifdVendorID", hex(id.vendor)), ("ifdProductID", hex(id.product)), ("ifdFriendlyName", name),
    ]
    let commands = edits.map { "-e '/>\($0.0)</{n;s|$|<string>\($0.1)</string>|}'" }
    return "sudo sed -i \(commands.joined(separator: " ")) /etc/libccid_Info.plist"
  }

  private static func hex(_ number: UInt16) -> String { "0x" + HexText.string(of: number) }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// Report on whether this machine can reach meters, with the line that fixes each missing part. For `libre doctor`.
package struct BluetoothReport: Hashable, Sendable {
  struct Adapter: Hashable, Sendable {
    let path: String
    let isPowered: Bool

    /// `hci0`
    var name: String { String(path.dropFirst(BlueZ.root.count + 1)) }
  }

  /// One check, from the bottom up.
  package struct Finding: Hashable, Sendable {
    /// Stable name in snake_case: `bluetooth_adapter`.
    package let name: String
    package let isGood: Bool
    /// A sentence without its full stop.
    package let what: String
    package var remedy: String?
    /// The error that is reported, if it needs no other remedy than its own.
    package var error: BluetoothError?
  }

  /// The controllers that the kernel has, by name: `hci0`. Empty also where the kernel's view is hidden, as in a
  /// container.
  let controllers: [String]
  let block: RadioBlock?
  /// True if the program bluetoothd is installed.
  let hasDaemon: Bool
  let usesSystemd: Bool
  /// The adapters of bluetoothd, or the reason why it cannot be asked.
  let adapters: Result<[Adapter], BluetoothError>

  /// Looks at this machine; changes nothing. Takes long only if the service hangs.
  package static func take(environment: [String: String]) async -> BluetoothReport {
    await take(root: "") { () throws(BluetoothError) in try BluetoothAdapter.systemBus(environment) }
  }

  /// `root` is the directory that stands for `/`.
  static func take(
    root: String, on connection: @escaping @Sendable () throws(BluetoothError) -> any BusConnection
  ) async -> BluetoothReport {
    let adapters: Result<[Adapter], BluetoothError>
    do throws(BluetoothError) {
      adapters = .success(
        try await BluetoothAdapter.begin(on: connection) { (session, _) throws(BluetoothError) in
          defer { session.end() }
          try session.begin()
          return self.adapters(in: session.tree)
        })
    } catch { adapters = .failure(error) }
    return BluetoothReport(
      controllers: FileSystem.sortedNames(in: root + "/sys/class/bluetooth").filter {
        $0.hasPrefix("hci") && !$0.contains(":")
      },
      block: radioBlock(root: root), hasDaemon: daemons.contains { FileSystem.exists(root + $0) },
      usesSystemd: FileSystem.isFolder(root + "/run/systemd/system"), adapters: adapters)
  }

  private static let daemons = [
    "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
  ]

  static func adapters(in tree: ObjectTree) -> [Adapter] {
    tree.paths(with: BlueZ.adapter).map { path in
      Adapter(path: path, isPowered: tree.properties(BlueZ.adapter, at: path)?["Powered"]?.boolean ?? false)
    }
  }

  /// `hard` if any switch of the machine blocks the Bluetooth radio.
  static func radioBlock(root: String) -> RadioBlock? {
    let directory = root + "/sys/class/rfkill"
    func line(_ radio: String, _ file: String) -> String? {
      FileSystem.firstLine(of: "\(directory)/\(radio)/\(file)")
    }
    let radios = FileSystem.sortedNames(in: directory).filter { line($0, "type") == "bluetooth" }
    if radios.contains(where: { line($0, "hard") == "1" }) { return .hard }
    return radios.contains { line($0, "soft") == "1" } ? .soft : nil
  }

  // MARK: What it means

  /// The first thing that is missing; nil if a meter can be searched for now.
  package var obstacle: BluetoothError? {
    switch adapters {
    case .failure(let error): error
    case .success(let all) where all.isEmpty: .noAdapter
    case .success(let all): all.contains(where: \.isPowered) ? nil : .adapterOff(name: all[0].name, block)
    }
  }

  /// All checks, from the bottom up. Those above one that failed are left out where nothing can be said about them.
  package var findings: [Finding] {
    [controllerFinding, blockFinding].compactMap(\.self) + serviceFindings
  }

  private var controllerFinding: Finding {
    let names = controllers.isEmpty ? ((try? adapters.get()) ?? []).map(\.name) : controllers
    let name = "bluetooth_controller"
    if !names.isEmpty {
      return Finding(name: name, isGood: true, what: "Bluetooth controller \(names.joined(separator: ", "))")
    }
    return Finding(
      name: name, isGood: false, what: "the kernel has no Bluetooth controller",
      remedy: "plug in an adapter with Bluetooth 4.0 or newer; if one is plugged in: sudo dmesg | grep -i bluetooth "
        + "names a missing firmware file (packages firmware-realtek, firmware-iwlwifi, firmware-atheros)")
  }

  private var blockFinding: Finding? {
    switch block {
    case nil: nil
    case .hard:
      Finding(
        name: "bluetooth_block", isGood: false, what: "a switch or key of this machine keeps Bluetooth off",
        remedy: "turn Bluetooth on with that switch, or leave flight mode")
    case .soft:
      Finding(
        name: "bluetooth_block", isGood: false, what: "Bluetooth is blocked by the system (rfkill)",
        remedy: "rfkill unblock bluetooth && bluetoothctl power on")
    }
  }

  private var serviceFindings: [Finding] {
    switch adapters {
    case .failure(.noDaemon):
      let start = usesSystemd ? "sudo systemctl enable --now bluetooth" : "sudo service bluetooth start"
      let state = hasDaemon ? "installed but not running" : "not installed"
      return [
        Finding(
          name: "bluetoothd", isGood: false, what: "bluetoothd, the Bluetooth service, is \(state)",
          remedy: hasDaemon ? start : "sudo apt install bluez && \(start)")
      ]
    case .failure(let error):
      let name =
        switch error {
        case .libraryMissing, .notInThisBuild: "bluetooth_library"
        case .noBus: "message_bus"
        default: "bluetoothd"
        }
      return [finding(name, error)]
    case .success(let all):
      let service = Finding(name: "bluetoothd", isGood: true, what: "the Bluetooth service is running and accessible")
      guard !all.isEmpty else { return [service, finding("bluetooth_adapter", .noAdapter)] }
      return [service]
        + all.compactMap { adapter in
          if adapter.isPowered {
            return Finding(name: "bluetooth_adapter", isGood: true, what: "the Bluetooth adapter \(adapter.name) is on")
          }
          // The block has a finding of its own, with the same way out.
          return block == nil ? finding("bluetooth_adapter", .adapterOff(name: adapter.name, nil)) : nil
        }
    }
  }

  private func finding(_ name: String, _ error: BluetoothError) -> Finding {
    Finding(name: name, isGood: false, what: error.message, error: error)
  }
}

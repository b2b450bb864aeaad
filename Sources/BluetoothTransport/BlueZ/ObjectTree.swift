// SPDX-License-Identifier: Apache-2.0

/// The objects of bluetoothd: adapters, devices, services and characteristics, with their properties.
///
/// Kept up to date by its signals. It holds what arrived, checked only when it is read.
struct ObjectTree: Hashable, Sendable {
  typealias Properties = [String: BusValue]

  /// Path, then interface, then property.
  private var objects: [String: [String: Properties]] = [:]

  init() {}

  /// The answer to `GetManagedObjects`.
  init(managed body: [BusValue]) {
    for (path, interfaces) in body.first?.dictionary ?? [:] { add(path, interfaces) }
  }

  private mutating func add(_ path: String, _ interfaces: BusValue) {
    for (interface, properties) in interfaces.dictionary ?? [:] {
      objects[path, default: [:]][interface] = properties.dictionary ?? [:]
    }
  }

  /// Applies a signal of the object manager or of an object's properties; others change nothing.
  mutating func apply(_ signal: BusNotice) {
    let body = signal.body
    switch (signal.interface, signal.member) {
    case (BlueZ.objectManager, "InterfacesAdded"):
      guard body.count >= 2, let path = body[0].text else { return }
      add(path, body[1])
    case (BlueZ.objectManager, "InterfacesRemoved"):
      guard body.count >= 2, let path = body[0].text, let interfaces = body[1].texts else { return }
      for interface in interfaces { objects[path]?[interface] = nil }
      if objects[path]?.isEmpty == true { objects[path] = nil }
    case (BlueZ.properties, "PropertiesChanged"):
      guard body.count >= 2, let interface = body[0].text, let changed = body[1].dictionary,
        objects[signal.path]?[interface] != nil
      else { return }
      objects[signal.path]?[interface]?.merge(changed) { $1 }
      for name in body.dropFirst(2).first?.texts ?? [] { objects[signal.path]?[interface]?[name] = nil }
    default: break
    }
  }

  /// The properties of an object's interface; nil if it does not exist.
  func properties(_ interface: String, at path: String) -> Properties? { objects[path]?[interface] }

  /// The paths of all objects with this interface that lie below a path, sorted.
  func paths(with interface: String, below parent: String = BlueZ.root) -> [String] {
    objects.filter { $0.key.hasPrefix(parent + "/") && $0.value[interface] != nil }.map(\.key).sorted()
  }
}

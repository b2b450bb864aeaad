// SPDX-License-Identifier: Apache-2.0

/// The checksummed regions of a Libre Pro memory: enough to recognise one (read: xDrip, DiaBLE; verified on five
/// memories, FORMAT 7).
enum LibreProMap {
  /// Bytes that are readable without commands.
  static let byteCount = 176
  static let regions = [
    MemoryMap.Region(name: "header", start: 0, end: 40),
    MemoryMap.Region(name: "footer", start: 40, end: 72),
    MemoryMap.Region(name: "body", start: 72, end: 176),
  ]
}

// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A USB device that the kernel makes of a directory in configfs, on a port of `dummy_hcd`.
///
/// Its plug is in from `connect` to `disconnect`; both end only when the kernel has done it.
final class USBGadget: Sendable {
  private let path: String
  private let functions: [String]
  private let port: Int

  /// `functions` are names such as `ffs.0` and `acm.1`, in the order of their interfaces.
  init(_ product: Product, port: Int, functions: [String]) throws {
    path = "/sys/kernel/config/usb_gadget/port\(port)"
    self.functions = functions
    self.port = port
    try File.makeDirectory(path)
    try write(product.vendor.hex, "idVendor")
    try write(product.product.hex, "idProduct")
    try write(product.release.hex, "bcdDevice")
    try write(UInt16(0x0200).hex, "bcdUSB")
    let strings = [
      ("manufacturer", product.manufacturer), ("product", product.title), ("serialnumber", product.serial ?? ""),
    ]
    try File.makeDirectory("\(path)/strings/0x409")
    // A string that is written, even an empty one, is a string that the device has.
    for (name, text) in strings where !text.isEmpty { try write(text, "strings/0x409/\(name)") }
    try File.makeDirectory("\(path)/configs/c.1")
    for function in functions {
      try File.makeDirectory("\(path)/functions/\(function)")
      try File.check(symlink("\(path)/functions/\(function)", "\(path)/configs/c.1/\(function)"), function)
    }
  }

  func attribute(_ name: String, of function: String) throws -> String {
    try File.read("\(path)/functions/\(function)/\(name)")
  }

  func connect() throws { try write("dummy_udc.\(port)", "UDC") }

  func disconnect() { try? write("\n", "UDC") }

  /// Removes the directory of a gadget that is not connected.
  func remove() {
    for function in functions {
      unlink("\(path)/configs/c.1/\(function)")
      rmdir("\(path)/functions/\(function)")
    }
    for directory in ["configs/c.1", "strings/0x409", ""] { rmdir("\(path)/\(directory)") }
  }

  private func write(_ text: String, _ name: String) throws { try File.write(Array(text.utf8), to: "\(path)/\(name)") }
}

/// Files of the kernel, whose errors have to be seen.
enum File {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func check(_ result: Int32, _ what: String) throws {
    if result < 0 { throw Failure(description: "\(what): \(String(cString: strerror(errno)))") }
  }

  static func makeDirectory(_ path: String) throws { try check(mkdir(path, 0o755), path) }

  static func open(_ path: String, _ flags: Int32 = O_RDWR) throws -> Int32 {
    let descriptor = Glibc.open(path, flags | O_CLOEXEC)
    try check(descriptor, path)
    return descriptor
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = try open(path, O_WRONLY)
    defer { close(descriptor) }
    try check(Int32(Glibc.write(descriptor, bytes, bytes.count)), path)
  }

  static func read(_ path: String) throws -> String {
    let descriptor = try open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    try check(Int32(count), path)
    return String(decoding: bytes.prefix(count).filter { $0 != 0x0A }, as: UTF8.self)
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  var hex: String { "0x" + String(self, radix: 16) }

  /// Least significant byte first, as in everything that USB carries.
  var littleEndianBytes: [UInt8] {
    stride(from: 0, to: Self.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: self >> Self($0)) }
  }
}

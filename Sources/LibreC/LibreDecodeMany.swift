// SPDX-License-Identifier: Apache-2.0
// The function has its name in C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CLibre

extension UnsafeRawPointer {
  /// The element of an array whose elements have the size that the caller's header knows.
  fileprivate func element<Element>(_ index: Int, of size: Int, as type: Element.Type) -> UnsafePointer<Element> {
    (self + index * size).assumingMemoryBound(to: type)
  }
}

/// The size of an array's elements; nil unless they hold what this version writes, aligned as the first one is.
private func elementSize<Element>(_ size: UInt32, of type: Element.Type) -> Int? {
  guard let size = Int(exactly: size) else { return nil }
  return size >= MemoryLayout<Element>.size && size % MemoryLayout<Element>.alignment == 0 ? size : nil
}

@c @implementation
public func libre_decode_many(
  _ count: Int, _ memories: UnsafePointer<UnsafePointer<UInt8>?>?, _ sizes: UnsafePointer<Int>?,
  _ options: UnsafePointer<libre_options>?, _ readings: UnsafeMutablePointer<libre_reading>?
) -> Int32 {
  guard count > 0 else { return LIBRE_OK.code }
  guard let memories, let sizes, let readings,
    let readingSize = elementSize(readings.pointee.size, of: libre_reading.self)
  else { return LIBRE_ERROR_BAD_ARGUMENT.code }
  var optionsSize = 0
  if let options {
    guard let size = elementSize(options.pointee.size, of: libre_options.self) else {
      return LIBRE_ERROR_BAD_ARGUMENT.code
    }
    optionsSize = size
  }
  for index in 0..<count {
    let reading = UnsafeMutablePointer(
      mutating: UnsafeRawPointer(readings).element(index, of: readingSize, as: libre_reading.self))
    reading.pointee.size = UInt32(readingSize)
    let given = options.map { UnsafeRawPointer($0).element(index, of: optionsSize, as: libre_options.self) }
    _ = libre_decode(memories[index], sizes[index], given, reading)
  }
  return LIBRE_OK.code
}

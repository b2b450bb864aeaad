// SPDX-License-Identifier: Apache-2.0
import CExpat

/// A reader of an XML format, which is called at the beginning and the end of each element.
protocol XMLElements: AnyObject {
  func begin(_ name: String, _ attributes: XMLAttributes, line: Int) throws(HistoryError)
  func end(_ name: String) throws(HistoryError)
}

/// An element's attributes, decoded on demand.
struct XMLAttributes {
  fileprivate let list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>

  subscript(name: String) -> String? {
    var position = 0
    while let key = list[position] {
      if String(cString: key) == name { return list[position + 1].map { String(cString: $0) } }
      position += 2
    }
    return nil
  }
}

/// Reads an XML document in pieces, whatever its size.
///
/// It refuses documents that could fill the memory: with declared entities, deeply nested elements, a tag of a
/// megabyte, and endless declarations or names. External resources are never read.
final class XMLEvents {
  private let parser: XML_Parser
  private let elements: any XMLElements
  private var failure: HistoryError?
  private var depth = 0
  private var isInDeclarations = false
  private var length = 0
  private var names: Set<UInt64> = []

  private static let sliceLength = 1 << 16
  private static let unfinishedLimit = 1 << 20
  private static let depthLimit = 64
  private static let nameLimit = 4_096

  init(_ elements: any XMLElements) throws(HistoryError) {
    guard let parser = XML_ParserCreate(nil) else { throw .unreadable("not enough memory to read XML") }
    self.parser = parser
    self.elements = elements
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { XMLEvents.of($0)?.begin($1, $2) }, { XMLEvents.of($0)?.end($1) })
    XML_SetDoctypeDeclHandler(
      parser, { data, _, _, _, _ in XMLEvents.of(data)?.isInDeclarations = true },
      { data in XMLEvents.of(data)?.isInDeclarations = false })
    XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in XMLEvents.of(data)?.refuseEntities() }
    XML_SetSkippedEntityHandler(parser) { data, _, _ in XMLEvents.of(data)?.refuseEntities() }
  }

  deinit { XML_ParserFree(parser) }

  /// - Throws: `badLine` for invalid or refused XML, and the errors of the elements.
  func append(_ piece: [UInt8]) throws(HistoryError) {
    for start in stride(from: 0, to: piece.count, by: Self.sliceLength) {
      let slice = piece[start..<min(start + Self.sliceLength, piece.count)]
      try parse(slice, isLast: false)
      length += slice.count
      // Bytes of an incomplete tag or declaration stay in memory.
      let unfinished = isInDeclarations ? length : length - Int(XML_GetCurrentByteIndex(parser))
      guard unfinished <= Self.unfinishedLimit else {
        throw .badLine(line, "a tag or a declaration has more than \(Self.unfinishedLimit) bytes")
      }
    }
  }

  func finish() throws(HistoryError) { try parse([], isLast: true) }

  private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

  private func parse(_ slice: ArraySlice<UInt8>, isLast: Bool) throws(HistoryError) {
    let status = slice.withUnsafeBytes {
      XML_Parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), isLast ? 1 : 0)
    }
    guard status == XML_STATUS_ERROR else { return }
    if let failure { throw failure }
    let words = String(cString: XML_ErrorString(XML_GetErrorCode(parser)))
    throw isLast ? .truncated("the XML ends on line \(line): \(words)") : .badLine(line, "invalid XML: \(words)")
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> XMLEvents? {
    data.map { Unmanaged<XMLEvents>.fromOpaque($0).takeUnretainedValue() }
  }

  private func begin(_ name: UnsafePointer<XML_Char>?, _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
    guard failure == nil, let name, let list else { return }
    depth += 1
    guard depth <= Self.depthLimit else { return stop(.badLine(line, "elements are nested too deep")) }
    remember(name)
    var position = 0
    while let attribute = list[position] {
      remember(attribute)
      position += 2
    }
    guard names.count <= Self.nameLimit else {
      return stop(.badLine(line, "too many different names of elements and attributes"))
    }
    do throws(HistoryError) { try elements.begin(String(cString: name), XMLAttributes(list: list), line: line) } catch {
      stop(error)
    }
  }

  private func end(_ name: UnsafePointer<XML_Char>?) {
    guard failure == nil, let name else { return }
    depth -= 1
    do throws(HistoryError) { try elements.end(String(cString: name)) } catch { stop(error) }
  }

  private func refuseEntities() { stop(.badLine(line, "declared entities are not supported")) }

  private func stop(_ error: HistoryError) {
    guard failure == nil else { return }
    failure = error
    XML_StopParser(parser, 0)
  }

  // The parser stores every name. (Fowler, Noll and Vo's hash: two names with the same hash are counted once.)
  private func remember(_ name: UnsafePointer<XML_Char>) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var position = 0
    while name[position] != 0 {
      hash = (hash ^ UInt64(UInt8(bitPattern: name[position]))) &* 0x100_0000_01B3
      position += 1
    }
    names.insert(hash)
  }
}

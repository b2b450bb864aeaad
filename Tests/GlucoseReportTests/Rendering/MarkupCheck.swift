// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads a page or a picture as XML, and keeps what tests ask for.
final class MarkupCheck: NSObject, XMLParserDelegate {
  private(set) var isWellFormed = false
  private(set) var paths: [[String: String]] = []
  private(set) var elements: [String: Int] = [:]
  private(set) var ids: [String] = []
  private(set) var attributeNames: Set<String> = []
  /// Of the elements that a test may ask for, all text.
  private(set) var text = ""

  /// An XML document.
  init(xml: String) {
    super.init()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = self
    isWellFormed = parser.parse()
  }

  /// The body of a page, which has no element that XML would not close.
  convenience init(page: String) {
    let start = page.range(of: "<header>")?.lowerBound ?? page.endIndex
    let end = page.range(of: "<script>", options: .backwards)?.lowerBound ?? page.endIndex
    self.init(
      xml: "<page>\(start < end ? page[start..<end] : "")</page>".replacingOccurrences(of: " hidden>", with: ">"))
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements[name, default: 0] += 1
    if name == "path" { paths.append(attributes) }
    if let id = attributes["id"] { ids.append(id) }
    attributeNames.formUnion(attributes.keys)
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

  /// Every coordinate of every path.
  var coordinates: [Double] {
    paths.flatMap { ($0["d"] ?? "").split { !"-.0123456789".contains($0) }.map { Double($0) ?? .nan } }
  }

  /// The pieces of the lines and dots of values.
  var pieces: [String] {
    paths.filter { ["line", "dots"].contains($0["class"]) }
      .flatMap { ($0["d"] ?? "").split(separator: "M").map(String.init) }
  }
}

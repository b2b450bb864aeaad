// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A standalone SVG file, on the colour of a card.
struct SVGDocument {
  let width: Double
  let height: Double
  let title: String
  /// Description for people who cannot see the picture.
  let description: String
  let style: String
  let marks: String

  /// Style of the title above a chart.
  static func titleStyle(_ colour: (Palette) -> String) -> String {
    "svg .title{font-size:15px;font-weight:600;fill:\(colour(.text))}"
  }

  var text: String {
    let size = (DecimalText.shortest(width, places: 1), DecimalText.shortest(height, places: 1))
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      \(DocumentMark.picture)width="\(size.0)" height="\(size.1)" \
      viewBox="0 0 \(size.0) \(size.1)">
      <title id="t">\(Markup.text(title))</title>
      <desc id="d">\(Markup.text(description))</desc>
      <style>
      \(style)
      </style>
      <rect width="100%" height="100%" fill="\(Palette.card.light)"/>
      \(marks)
      </svg>

      """
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Styles of charts, in a page and alone.
package enum ChartStyle {
  package static func css(_ colour: (Palette) -> String) -> String {
    """
    .target{fill:\(colour(.target))}
    .grid{stroke:\(colour(.grid));fill:none}
    .limit{stroke:\(colour(.limit));fill:none;stroke-dasharray:5 3}
    .outer{fill:\(colour(.outer));fill-opacity:.75}
    .inner{fill:\(colour(.inner));fill-opacity:.85}
    .median{fill:none;stroke:\(colour(.text));stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}
    .line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
    .dots{fill:none;stroke-width:4;stroke-linecap:round}
    .sticks{fill:\(colour(.card));stroke:\(colour(.text));stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
    stop.low{stop-color:\(colour(.lowLine))}
    stop.within{stop-color:\(colour(.withinLine))}
    stop.high{stop-color:\(colour(.highLine))}
    svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans","DejaVu Sans",sans-serif;
    fill:\(colour(.soft))}
    svg .side{text-anchor:end}
    svg .foot{text-anchor:middle}

    """
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Percentages as people read them.
public enum PercentText {
  /// Whole numbers; what is there but too little for one is not shown as nothing, nor what is not all as all.
  public static func whole(_ value: Double) -> String {
    if value > 0, value < 1 { return "<1 %" }
    if value > 99, value < 100 { return ">99 %" }
    return "\(DecimalText.fixed(value, places: 0)) %"
  }
}

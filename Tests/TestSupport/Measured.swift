// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Of a `libre.reading/1`, what a sensor's memory alone decides: a read and the dump of the same memory agree on it.
  package var measured: JSONValue {
    func samples(_ ring: String) -> JSONValue {
      .array(
        self[ring].elements.map {
          $0.members("ring", "minute", "raw", "quality", "errors", "temperature_c", "glucose_mg_dl")
        })
    }
    return .object([
      "sensor": self["sensor"].members(
        "state", "age_minutes", "max_life_minutes", "initializations", "end_of_life", "failure", "region"),
      "integrity": self["integrity"], "calibration": self["calibration"], "current": self["current"],
      "history": samples("history"), "trend": samples("trend"),
    ])
  }

  /// The object with these members only; one that it lacks is null.
  private func members(_ names: String...) -> JSONValue {
    .object(Dictionary(uniqueKeysWithValues: names.map { ($0, self[$0]) }))
  }
}

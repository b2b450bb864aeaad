// SPDX-License-Identifier: Apache-2.0

/// The unit in which a person reads glucose.
public enum GlucoseUnit: String, Hashable, Sendable, CaseIterable {
  case milligramsPerDecilitre = "mg/dL"
  case millimolesPerLitre = "mmol/L"
}

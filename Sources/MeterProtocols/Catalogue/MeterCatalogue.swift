// SPDX-License-Identifier: Apache-2.0

/// All meters that this project knows of.
public enum MeterCatalogue {
  /// Every entry: glucose meters, then cuffs, then those that cannot be read.
  public static let all: [MeterModel] = []

  /// Returns the entry for a meter; nil if the catalogue does not have it.
  public static func model(
    name: String?, maker: String? = nil, modelNumber: String? = nil, services: [MeterService] = []
  ) -> MeterModel? { nil }
}

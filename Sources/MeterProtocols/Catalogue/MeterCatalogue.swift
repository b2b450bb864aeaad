// SPDX-License-Identifier: Apache-2.0

/// All meters that this project knows of. All entries are untested on hardware.
///
/// A meter that is not in the catalogue is read by the specification if it has a service of `MeterService.meters`.
package enum MeterCatalogue {
  /// Every entry: glucose meters, then cuffs; in each group those that cannot be read are last.
  package static let all: [MeterModel] = MeterModel.glucoseMeters + MeterModel.bloodPressureMonitors

  /// Returns the entry for a meter; nil if the catalogue does not have it.
  ///
  /// What the meter says of itself counts more than its advertised name: an entry does not apply to a meter with another
  /// maker, or without the entry's service. Among the remaining entries the one with the longest matching beginning of
  /// the name or model number wins, then the first one with the same maker.
  ///
  /// - Parameters:
  ///   - name: the advertised name; nil if unknown.
  ///   - maker: the maker as the meter states it; nil if it was not read.
  ///   - modelNumber: the model number as the meter states it; nil if it was not read.
  ///   - services: the services of a connected meter; empty if it is not connected.
  package static func model(
    name: String?, maker: String? = nil, modelNumber: String? = nil, services: [MeterService] = []
  ) -> MeterModel? {
    let possible = all.filter { model in
      (maker == nil || model.makerBeginnings.isEmpty || maker.begins(withOneOf: model.makerBeginnings) > 0)
        && (services.isEmpty || model.service.map(services.contains) ?? true)
    }
    let ranked = possible.map { model in
      (
        model: model,
        length: max(name.begins(withOneOf: model.nameBeginnings), modelNumber.begins(withOneOf: model.nameBeginnings))
      )
    }
    if let longest = ranked.map(\.length).max(), longest > 0 { return ranked.first { $0.length == longest }?.model }
    return possible.first { maker.begins(withOneOf: $0.makerBeginnings) > 0 && $0.isReadable }
  }
}

extension String? {
  /// The length of the longest of these texts with which the text begins, compared without case; 0 if with none.
  fileprivate func begins(withOneOf beginnings: [String]) -> Int {
    guard let text = self?.lowercased() else { return 0 }
    return beginnings.filter { text.hasPrefix($0.lowercased()) }.map(\.count).max() ?? 0
  }
}

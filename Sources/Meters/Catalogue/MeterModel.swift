// SPDX-License-Identifier: Apache-2.0

/// A meter on the market, with what is known about it. All entries are untested on hardware.
package struct MeterModel: Hashable, Sendable {
  package let maker: String
  /// Product name, or several that behave the same.
  package let title: String
  package let kind: Kind
  /// Beginnings of the advertised name, compared without case; empty if the name is unknown.
  var names: [String] = []
  /// Beginnings of the maker's name that the meter states itself (`2A29`), compared without case. With one of these the
  /// entry also applies to a meter with another name.
  var makers: [String] = []
  /// The service that is read; nil if the meter cannot be read.
  package let service: MeterService?
  /// Instructions for pairing: what to do on the meter.
  package let pairing: String
  package let passkey: Passkey
  var profile = MeterProfile()
  /// Further advice.
  package var note: String?
  /// Repositories and documents from which the entry is known.
  package let sources: [String]
  package let proof: Proof

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case glucoseMeter = "glucose_meter"
    case bloodPressureMonitor = "blood_pressure_monitor"
  }

  /// The six digits that pairing asks for.
  package enum Passkey: String, Hashable, Sendable, CaseIterable {
    /// Pairing does not ask for digits.
    case none
    case display
    /// They are fixed: on the meter's label or in its papers.
    case label
    case unknown
  }

  /// The confidence of an entry. No case says "tested": no meter was available to this project.
  package enum Proof: String, Hashable, Sendable, CaseIterable {
    /// Users of another program read this meter with it; its packets or reports are public.
    case reported
    /// Taken from the source code of other programs.
    case fromSources = "from_sources"
    /// Known from memory only.
    case remembered
  }

  /// The line that every entry carries, because no meter was available to this project.
  package static let caution = "untested on hardware"

  package var isReadable: Bool { service != nil }
}

/// The ways in which a meter differs from the specification. The default is a meter that does not differ.
struct MeterProfile: Hashable, Sendable {
  var quirks: Set<MeterQuirk> = []
  /// Pause between connecting and the first subscription.
  var restBeforeSubscribing = Duration.zero
  /// Pause after each subscription.
  var restAfterSubscribing = Duration.zero
  /// Pause before the request for records.
  var restBeforeRequest = Duration.zero
}

/// One way in which a meter differs from the specification.
enum MeterQuirk: Hashable, Sendable, CaseIterable {
  /// Stores ketone tests as glucose; only the context tells them apart.
  case ketonesAsGlucose
  /// Sends month 13 for January.
  case month13
  /// Numbers its records anew with each measurement.
  case movingNumbers
  case wrongOffsets
  /// Sends its records in UTC, often without the time offset.
  case utcWithoutOffset
  /// Has placeholders in place of a serial number.
  case placeholderSerial
  case deletesAfterTransfer
}

/// All meters that this project knows of. All entries are untested on hardware.
///
/// A meter that is not in the catalogue is read by the specification if it has a service of `MeterService.meters`.
package enum MeterCatalogue {
  /// Every entry: glucose meters, then cuffs; in each group those that cannot be read are last.
  package static let all: [MeterModel] = MeterModel.glucoseMeters + MeterModel.bloodPressureMonitors

  /// Returns the entry for a meter; nil if the catalogue does not have it. `services` are those of a connected meter;
  /// empty if it is not connected.
  ///
  /// What the meter says of itself counts more than its advertised name: an entry does not apply to a meter with another
  /// maker, or without the entry's service. Among the remaining entries the one with the longest matching beginning of
  /// the name or model number wins, then the first one with the same maker.
  package static func model(
    name: String?, maker: String? = nil, modelNumber: String? = nil, services: [MeterService] = []
  ) -> MeterModel? {
    let possible = all.filter { model in
      (maker == nil || model.makers.isEmpty || maker.begins(withOneOf: model.makers) > 0)
        && (services.isEmpty || model.service.map(services.contains) ?? true)
    }
    let ranked = possible.map { model in
      (model: model, length: [name, modelNumber].map { $0.begins(withOneOf: model.names) }.max() ?? 0)
    }
    if let longest = ranked.map(\.length).max(), longest > 0 { return ranked.first { $0.length == longest }?.model }
    return possible.first { maker.begins(withOneOf: $0.makers) > 0 && $0.isReadable }
  }
}

extension String? {
  /// The length of the longest of these texts with which the text begins, compared without case; 0 if with none.
  fileprivate func begins(withOneOf beginnings: [String]) -> Int {
    guard let text = self?.lowercased() else { return 0 }
    return beginnings.filter { text.hasPrefix($0.lowercased()) }.map(\.count).max() ?? 0
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A meter on the market, with what is known about it. All entries are untested on hardware.
package struct MeterModel: Hashable, Sendable {
  package let maker: String
  /// Product name, or several that behave the same.
  package let title: String
  package let kind: Kind
  /// Beginnings of the advertised name, compared without case; empty if the name is unknown.
  package let nameBeginnings: [String]
  /// Beginnings of the maker's name that the meter states itself (`2A29`), compared without case. With one of these the
  /// entry also applies to a meter with another name.
  package let makerBeginnings: [String]
  /// The service that is read; nil if the meter cannot be read.
  package let service: MeterService?
  /// Instructions for pairing: what to do on the meter.
  package let pairing: String
  package let passkey: Passkey
  package let profile: MeterProfile
  /// Further advice, or nil.
  package let note: String?
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
    /// The meter shows them.
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

  init(
    _ maker: String, _ title: String, _ kind: Kind, names: [String] = [], makers: [String] = [],
    service: MeterService?, pairing: String, passkey: Passkey, profile: MeterProfile = MeterProfile(),
    note: String? = nil, sources: [String], proof: Proof
  ) {
    self.maker = maker
    self.title = title
    self.kind = kind
    nameBeginnings = names
    makerBeginnings = makers
    self.service = service
    self.pairing = pairing
    self.passkey = passkey
    self.profile = profile
    self.note = note
    self.sources = sources
    self.proof = proof
  }

  /// True if libre can read the meter as far as is known.
  package var isReadable: Bool { service != nil }
}

// SPDX-License-Identifier: Apache-2.0

package struct ReaderAssessment: Hashable, Sendable {
  package let reader: FoundReader
  package let kind: KnownReader?

  package init(_ reader: FoundReader) {
    self.reader = reader
    kind = KnownReader.named(reader.name)
  }

  package enum Ability: String, Hashable, Sendable, CaseIterable {
    case yes
    case no
    case unknown
  }

  /// Support for ISO 15693. A tag that the reader has found outweighs the catalogue.
  package var iso15693: Ability { reader.presence == .iso15693 ? .yes : kind?.iso15693 ?? .unknown }

  /// Likely dialects, most likely first; empty if unknown.
  package var dialects: [String] { kind?.dialects ?? [] }

  /// Reason for an answer other than yes; nil for yes.
  package var reason: String? {
    iso15693 == .yes ? nil : kind?.reason ?? "the name is not in libre's catalogue; try it"
  }
}

/// A reader on a serial port, and what it said when it was asked who it is.
package struct AskedReader: Sendable {
  package let reader: FoundReader
  package let answer: Result<ReaderDescription, TransportError>

  /// Opens the readers and closes them again; no field goes on. PC/SC is left out: it says itself what is wrong.
  package static func all(of backends: [any ReaderBackend]) async -> [AskedReader] {
    var asked: [AskedReader] = []
    for backend in backends where backend.scheme != "pcsc" {
      // Several phones have one address, of which adb says more than which they are.
      for found in (try? await backend.readers()) ?? [] where asked.allSatisfy({ $0.reader.address != found.address }) {
        do throws(TransportError) {
          let reader = try await backend.open(found.address)
          asked.append(AskedReader(reader: found, answer: .success(await reader.description)))
          await reader.close()
        } catch {
          asked.append(AskedReader(reader: found, answer: .failure(error)))
        }
      }
    }
    return asked
  }

  var isPhone: Bool { reader.address.scheme == PhoneBackend().scheme }
  var isUsable: Bool { if case .success = answer { true } else { false } }
  var error: TransportError? { if case .failure(let error) = answer { error } else { nil } }
}

// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A reader on a serial port, and what it said when it was asked who it is.
package struct AskedReader: Sendable {
  package let reader: FoundReader
  /// The reader's description, or the error that keeps it from being used.
  package let answer: Result<ReaderDescription, TransportError>

  package init(_ reader: FoundReader, answer: Result<ReaderDescription, TransportError>) {
    self.reader = reader
    self.answer = answer
  }

  /// Opens the readers that are plugged in and closes them again; a field is not switched on. PC/SC is left out, because
  /// it says itself what is wrong.
  package static func all(of backends: [any ReaderBackend]) async -> [AskedReader] {
    var asked: [AskedReader] = []
    for backend in backends where backend.scheme != "pcsc" {
      for found in (try? await backend.readers()) ?? [] {
        do throws(TransportError) {
          let reader = try await backend.open(found.address)
          asked.append(AskedReader(found, answer: .success(await reader.description)))
          await reader.close()
        } catch {
          asked.append(AskedReader(found, answer: .failure(error)))
        }
      }
    }
    return asked
  }

  var isUsable: Bool { if case .success = answer { true } else { false } }

  var error: TransportError? { if case .failure(let error) = answer { error } else { nil } }
}

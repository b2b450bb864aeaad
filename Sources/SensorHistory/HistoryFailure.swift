// SPDX-License-Identifier: Apache-2.0

// The layers of this module, so that `throw .store(.neverDated)` is enough.
extension LibreError: StoreFailure {
  package static func store(_ error: StoreError) -> LibreError { LibreError(error) }
  package static func report(_ error: ReportError) -> LibreError { LibreError(error) }
  package static func person(_ error: PersonError) -> LibreError { LibreError(error) }
}

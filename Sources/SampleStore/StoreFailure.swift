// SPDX-License-Identifier: Apache-2.0

/// An error that can contain a `StoreError`: thrown by work inside a transaction, a snapshot or a query.
package protocol StoreFailure: Error {
  init(_ error: StoreError)
}

extension StoreError: StoreFailure {
  /// Returns the error unchanged.
  package init(_ error: StoreError) { self = error }
}

extension SensorStore {
  /// Runs a call of the store inside work that throws another error type.
  package func attempt<Value, Failure: StoreFailure>(
    _ work: @autoclosure () throws(StoreError) -> Value, or _: Failure.Type
  ) throws(Failure) -> Value {
    do throws(StoreError) {
      return try work()
    } catch {
      throw Failure(error)
    }
  }
}

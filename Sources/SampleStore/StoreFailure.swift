// SPDX-License-Identifier: Apache-2.0

/// An error that can contain a `StoreError`: thrown by work inside a transaction, a snapshot or a query.
package protocol StoreFailure: Error {
  init(_ error: StoreError)
}

extension StoreError: StoreFailure {
  package init(_ error: StoreError) { self = error }
}

extension SensorStore {
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

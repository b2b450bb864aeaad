// SPDX-License-Identifier: Apache-2.0

/// An error that can stand for one of the store's: what work inside a transaction, a snapshot or a query throws.
public protocol StoreFailure: Error {
  init(_ error: StoreError)
}

extension StoreError: StoreFailure {
  /// Unchanged.
  public init(_ error: StoreError) { self = error }
}

extension SensorStore {
  /// What the store gives, in the midst of work that throws another error.
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

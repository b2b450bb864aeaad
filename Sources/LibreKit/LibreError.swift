// SPDX-License-Identifier: Apache-2.0
package import DumpFormats
package import HistoryFormats
package import HostSystem

/// Any error of libre: that of the layer that failed.
public struct LibreError: ExplainedError {
  package let cause: any ExplainedError
  /// The patch info of the sensor whose memory cannot be decoded, if it is known.
  private(set) var patchInfo: PatchInfo?

  package init(_ cause: some ExplainedError) { self.cause = cause }

  package init?(wrapping error: any Error) {
    guard let error = error as? any ExplainedError else { return nil }
    self = error as? LibreError ?? LibreError(error)
  }

  public var explanation: (code: String, message: String) { cause.explanation }

  /// The family, if it is the reason for the error.
  public var family: SensorFamily? { (cause as? MemoryError)?.family }

  /// The product, if its family is the reason for the error.
  package var product: SensorProduct? { family.flatMap { SensorProduct(patchInfo, of: $0) } }

  /// The facts about a Libre 3 or its kin, if it cannot be read because it is one.
  package var libre3: Libre3PatchInfo? {
    guard case .unsupportedFamily = cause as? MemoryError else { return nil }
    return patchInfo.flatMap(Libre3PatchInfo.init)
  }

  public static func == (left: LibreError, right: LibreError) -> Bool {
    AnyHashable(left.cause) == AnyHashable(right.cause)
  }

  public func hash(into hasher: inout Hasher) { cause.hash(into: &hasher) }
}

// The layers below this module, so that `throw .dump(.recordsOnly)` is enough.
extension LibreError {
  package static func memory(_ error: MemoryError, of patchInfo: PatchInfo? = nil) -> LibreError {
    var error = LibreError(error)
    error.patchInfo = patchInfo
    return error
  }
  package static func dump(_ error: DumpError) -> LibreError { LibreError(error) }
  package static func input(_ error: InputError) -> LibreError { LibreError(error) }
  package static func transport(_ error: TransportError) -> LibreError { LibreError(error) }
  package static func history(_ error: HistoryError) -> LibreError { LibreError(error) }
  package static func output(_ error: OutputError) -> LibreError { LibreError(error) }
}

/// Runs a call of a layer below, whose errors explain themselves, and rethrows its error as a `LibreError`.
///
/// The call throws untyped, because the compiler infers no thrown type for it, and each caller would have to spell it out.
package func libre<Value>(_ work: @autoclosure () throws -> Value) throws(LibreError) -> Value {
  do {
    return try work()
  } catch {
    guard let error = LibreError(wrapping: error) else { preconditionFailure("\(error) does not explain itself") }
    throw error
  }
}

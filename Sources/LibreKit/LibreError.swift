// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import DumpFormats
public import HistoryFormats
public import HostSystem
public import Libre1Core
public import NFCTransport
public import SampleStore

/// Any error of libre: one case per layer, each with its own closed list.
public enum LibreError: ExplainedError {
  case memory(MemoryError)
  case dump(DumpError)
  case input(InputError)
  case uid(UIDError)
  case transport(TransportError)
  case configuration(ConfigurationError)
  case store(StoreError)
  case history(HistoryError)
  case report(ReportError)
  case output(OutputError)
  case person(PersonError)
  /// An error of a module that builds on this one.
  case other(OtherError)

  /// The error of the layer that failed.
  public var cause: any ExplainedError {
    switch self {
    case .memory(let error): error
    case .dump(let error): error
    case .input(let error): error
    case .uid(let error): error
    case .transport(let error): error
    case .configuration(let error): error
    case .store(let error): error
    case .history(let error): error
    case .report(let error): error
    case .output(let error): error
    case .person(let error): error
    case .other(let error): error.error
    }
  }

  public var explanation: ErrorExplanation { cause.explanation }
  public var exitStatus: Int32 { cause.exitStatus }

  /// The product, if the product is the reason for the error.
  public var family: SensorFamily? {
    if case .memory(let error) = self { error.family } else { nil }
  }
}

extension LibreError: StoreFailure {
  public init(_ error: StoreError) { self = .store(error) }
}

extension LibreError {
  /// Converts the error of any layer; nil if it is not an `ExplainedError`.
  public init?(wrapping error: any Error) {
    switch error {
    case let error as LibreError: self = error
    case let error as MemoryError: self = .memory(error)
    case let error as DumpError: self = .dump(error)
    case let error as InputError: self = .input(error)
    case let error as UIDError: self = .uid(error)
    case let error as TransportError: self = .transport(error)
    case let error as ConfigurationError: self = .configuration(error)
    case let error as StoreError: self = .store(error)
    case let error as HistoryError: self = .history(error)
    case let error as ReportError: self = .report(error)
    case let error as OutputError: self = .output(error)
    case let error as PersonError: self = .person(error)
    case let error as any ExplainedError: self = .other(OtherError(error))
    default: return nil
    }
  }
}

/// An error type that is defined in another module.
public struct OtherError: Hashable, Sendable {
  public let error: any ExplainedError

  public init(_ error: some ExplainedError) { self.error = error }

  public static func == (left: OtherError, right: OtherError) -> Bool { key(left.error) == key(right.error) }

  public func hash(into hasher: inout Hasher) { error.hash(into: &hasher) }

  private static func key(_ error: some ExplainedError) -> AnyHashable { AnyHashable(error) }
}

extension Files {
  /// Runs a write and converts its error to `LibreError.output`.
  package static func writing<Value>(_ work: () throws(OutputError) -> Value) throws(LibreError) -> Value {
    do throws(OutputError) {
      return try work()
    } catch {
      throw .output(error)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import DumpFormats
public import HistoryFormats
public import HostSystem
public import Libre1Core
public import NFCTransport
public import SampleStore

/// Any reason for which libre did not do what it was asked: one case per layer, each with its own closed list.
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
  /// An error of a module that builds on this one.
  case other(OtherError)

  /// The product, where the reason is which product it is.
  public var family: SensorFamily? {
    switch self {
    case .memory(.unsupportedFamily(let family)), .memory(.cannotDecrypt(let family)),
      .memory(.encryptedWithoutUID(let family)), .memory(.encryptedWithoutPatchInfo(let family)),
      .memory(.keyDisagrees(let family, _, _)):
      family
    case .memory, .dump, .input, .uid, .transport, .configuration, .store, .history, .report, .output, .other: nil
    }
  }

  /// CONTRACT 2; sysexits.h.
  public var exitStatus: Int32 {
    switch self {
    case .dump(.noSuchFormat): 64
    case .memory, .dump: 65
    case .input(let error): error.exitStatus
    case .uid, .configuration(.badOption): 64
    case .transport(let error): error.exitStatus
    case .configuration: 78
    case .store(let error): error.exitStatus
    case .history(.noSuchFormat): 64
    case .history: 65
    case .report(let error): error.exitStatus
    case .output(let error): error.exitStatus
    case .other(let error): error.error.exitStatus
    }
  }
}

/// An error that only the module that throws it knows.
public struct OtherError: Hashable, Sendable {
  public let error: any ExplainedError

  public init(_ error: some ExplainedError) { self.error = error }

  public static func == (left: OtherError, right: OtherError) -> Bool { key(left.error) == key(right.error) }

  public func hash(into hasher: inout Hasher) { error.hash(into: &hasher) }

  private static func key(_ error: some ExplainedError) -> AnyHashable { AnyHashable(error) }
}

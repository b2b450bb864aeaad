// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import DumpFormats
public import HistoryFormats
public import Libre1Core
public import NFCTransport
public import SampleStore

/// Any reason for which libre did not do what it was asked: one case per layer, each with its own closed list.
public enum LibreError: Error, Hashable, Sendable {
  case memory(MemoryError)
  case dump(DumpError)
  case input(InputError)
  case uid(UIDError)
  case transport(TransportError)
  case configuration(ConfigurationError)
  case store(StoreError)
  case history(HistoryError)
  case sink(SinkError)
  case report(ReportError)
  case output(OutputError)

  /// The product, where the reason is which product it is.
  public var family: SensorFamily? {
    switch self {
    case .memory(.unsupportedFamily(let family)), .memory(.cannotDecrypt(let family)),
      .memory(.encryptedWithoutUID(let family)), .memory(.encryptedWithoutPatchInfo(let family)),
      .memory(.keyDisagrees(let family, _, _)):
      family
    case .memory, .dump, .input, .uid, .transport, .configuration, .store, .history, .sink, .report, .output: nil
    }
  }

  /// CONTRACT 2; sysexits.h.
  public var exitStatus: Int32 {
    switch self {
    case .dump(.noSuchFormat): 64
    case .memory, .dump: 65
    case .input(.notFound), .input(.isFolder), .input(.unreadable): 66
    case .input(.permissionDenied): 77
    case .uid, .configuration(.badOption): 64
    case .transport(let error): error.exitStatus
    case .configuration: 78
    case .store(let error): error.exitStatus
    case .history(.noSuchFormat): 64
    case .history: 65
    case .sink(let error): error.exitStatus
    case .report(let error): error.exitStatus
    case .output: 73
    }
  }
}

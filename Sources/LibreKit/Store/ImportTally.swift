// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import SampleStore
import TextFormats

/// What importing one file gave.
public struct ImportTally: Hashable, Sendable {
  public let path: String
  /// The format's name.
  public let format: String
  /// Memories, and those of them that were new.
  public var scans = 0
  public var newScans = 0
  /// Samples and other values, by what became of them.
  public var added = 0
  public var filled = 0
  public var known = 0
  public var conflicts = 0
  /// Seconds by which one of its scans dates the start of a sensor otherwise than the store does, if that is telling.
  public var disagreementSeconds: Int?
  /// True if only the modification time of a file tells when one of its sensors was started.
  public var isProvisional = false
  /// Values that were left out, by the reason in words.
  public var reasons: [String: Int] = [:]
  /// True if times in the file had no zone; they were read as those of `timeZone`, which is nil if that has no name.
  public var hasLocalTimes = false
  public var timeZone: String?
  /// Whose they are.
  public var sensors: Set<SensorIdentity> = []

  public var leftOut: Int { reasons.values.reduce(0, +) }

  /// Warnings about the times, each with the way out; empty if they are certain and agree.
  public var remarks: [(message: String, resolution: String)] {
    var remarks: [(message: String, resolution: String)] = []
    if isProvisional {
      let problem = ReadingProblem.startIsProvisional
      remarks.append((problem.message, problem.resolution))
    }
    if let seconds = disagreementSeconds {
      let span = DurationText.of(minutes: abs(seconds) / 60)
      remarks.append(
        (
          "its scans and earlier ones disagree by \(span) on when the sensor was started",
          "libre sensor show; libre sensor reanchor puts the start where most scans put it"
        ))
    }
    return remarks
  }

  init(path: String, format: String) {
    self.path = path
    self.format = format
  }

  mutating func count(_ receipt: ScanReceipt) {
    scans += 1
    if receipt.isNewScan { newScans += 1 }
    added += receipt.added
    filled += receipt.filled
    known += receipt.known
    conflicts += receipt.conflicts
    leaveOut(Self.removedEarlier, receipt.leftOut)
    if receipt.isProvisional { isProvisional = true }
    if let seconds = receipt.reportedDisagreement, abs(seconds) > abs(disagreementSeconds ?? 0) {
      disagreementSeconds = seconds
    }
    sensors.insert(receipt.sensor)
  }

  mutating func count(_ outcome: EntryOutcome) {
    switch outcome {
    case .added: added += 1
    case .filled: filled += 1
    case .known: known += 1
    case .conflict: conflicts += 1
    case .leftOut: leaveOut(Self.removedEarlier)
    }
  }

  static let removedEarlier = "removed earlier with libre add --remove"

  mutating func leaveOut(_ reason: String, _ count: Int = 1) {
    if count > 0 { reasons[reason, default: 0] += count }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A run of the command, and what it took of the machine.
public struct MeasuredRun: Sendable {
  public let outcome: Outcome
  /// The most memory that was resident at any time, with the 10 MB of what starts it.
  public let peakMegabytes: Double
  /// Of processor time, so that other tests beside it do not count.
  public let seconds: Double
}

extension Sandbox {
  /// Runs `libre` here, and asks the system what it has used. After a minute of processor time it is ended.
  public func measured(_ arguments: [String]) throws -> MeasuredRun {
    let figures = "figures-\(UUID().uuidString)"
    let run = try run(
      program: "/usr/bin/env", ["python3", "-c", Self.measuring, figures, Self.binary] + arguments)
    let numbers = try String(contentsOfFile: path(figures), encoding: .utf8).split(separator: " ").compactMap {
      Double($0)
    }
    guard numbers.count == 2 else { throw ProgramRun.Failure(program: "python3", output: run.errors) }
    return MeasuredRun(outcome: run, peakMegabytes: numbers[0] / 1024, seconds: numbers[1])
  }

  /// Waits for one child, whose figures the system gives with its end; those of other tests' children are not in them.
  private static let measuring = """
    import os, resource, sys
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execv(sys.argv[2], sys.argv[2:])
    _, status, used = os.wait4(child, 0)
    with open(sys.argv[1], "w") as file:
        file.write(f"{used.ru_maxrss} {used.ru_utime + used.ru_stime}")
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)
    """
}

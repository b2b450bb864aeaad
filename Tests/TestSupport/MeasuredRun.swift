// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Sandbox {
  /// The highest resident memory includes the 10 MB of the Python that starts the command.
  package typealias MeasuredRun = (outcome: Outcome, peakMegabytes: Double)

  /// Runs `libre` here and asks the system for its memory use.
  ///
  /// A process that runs for ten minutes of processor time is ended, so that a loop without end is a failure.
  package func measured(_ arguments: [String]) throws -> MeasuredRun {
    let figures = "figures-\(UUID().uuidString)"
    let run = try run(
      program: "/usr/bin/env", ["python3", "-c", Self.measuring, figures, Self.binary] + arguments)
    guard let kilobytes = Double(try String(contentsOfFile: path(figures), encoding: .utf8)) else {
      throw ProgramRun.Failure(program: "python3", output: run.errors)
    }
    return (run, kilobytes / 1024)
  }

  /// Waits for one child, whose figures the system reports with its end; children of other tests are not counted.
  private static let measuring = """
    import os, resource, sys
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execv(sys.argv[2], sys.argv[2:])
    _, status, used = os.wait4(child, 0)
    with open(sys.argv[1], "w") as file:
        file.write(f"{used.ru_maxrss}")
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)
    """
}

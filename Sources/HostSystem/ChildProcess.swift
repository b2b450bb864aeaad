// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Another program, started without a shell.
package enum ChildProcess {
  package struct Outcome {
    package let output: [UInt8]
    /// The status as a shell reports it: 128 plus the number for a signal, 127 if the program was not found.
    package let status: Int

    /// True if the program ended because its output was not read to the end.
    package var isBrokenPipe: Bool { status == 128 + Int(SIGPIPE) }
  }

  /// The environment of this process, which a child has unless it is given another.
  package static var inherited: [String: String] {
    var values: [String: String] = [:]
    var entry = environ
    while let pointer = entry.pointee {
      let parts = String(cString: pointer).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return values
  }

  /// Runs a program found in `PATH`, and passes its output to `take` until it ends or `take` has enough.
  ///
  /// The program reads `input` as its standard input, and has exactly the given environment. `isSilent` discards its
  /// standard error: browsers log there.
  package static func run(
    _ words: [String], environment: [String: String], input: [UInt8] = [], isSilent: Bool = false,
    take: (UInt8, inout [UInt8]) -> Bool = { byte, output in
      output.append(byte)
      return true
    }
  ) -> Outcome {
    let failed = Outcome(output: [], status: 126)
    // A file without a name, because a pipe would have to be written while the other one is read.
    let source = input.isEmpty ? nil : unnamedFile(holding: input)
    defer { if let source { fclose(source) } }
    guard input.isEmpty || source != nil else { return failed }
    var ends: [Int32] = [-1, -1]
    guard let program = words.first, pipe(&ends) == 0 else { return failed }
    guard let stream = fdopen(ends[0], "r") else {
      for end in ends { close(end) }
      return failed
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let source {
      posix_spawn_file_actions_adddup2(&actions, fileno(source), STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    if isSilent { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, program, &actions, nil, &arguments, &variables)
    close(ends[1])
    guard failure == 0 else {
      fclose(stream)
      return Outcome(output: [], status: failure == ENOENT ? 127 : 126)
    }
    var output: [UInt8] = []
    while case let byte = getc(stream), byte >= 0, take(UInt8(truncatingIfNeeded: byte), &output) {}
    // Otherwise a program with more output would wait for a reader.
    fclose(stream)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return Outcome(output: output, status: Int(status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)))
  }

  /// Creates a file with these bytes for the program to read; nil if the disk is full.
  private static func unnamedFile(holding bytes: [UInt8]) -> UnsafeMutablePointer<FILE>? {
    guard let file = tmpfile() else { return nil }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else {
      fclose(file)
      return nil
    }
    rewind(file)
    return file
  }
}

// SPDX-License-Identifier: Apache-2.0
public import SampleSinks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SinkSetup {
  /// From the variable, else the file, else the command, each of which gives it in its first line; nil where none of the
  /// three is there.
  func secret(environment: [String: String]) throws(LibreError) -> Secret? {
    if let text = environment[secretVariable], !text.isEmpty { return Secret(text) }
    if let secretFile {
      let home = environment["HOME"].map { "\($0)/" }
      return try SinkSecret.read(
        file: secretFile.hasPrefix("~/") ? (home ?? "~/") + secretFile.dropFirst(2) : secretFile)
    }
    return try secretCommand.map { command throws(LibreError) in try SinkSecret.ask(command, environment) }
  }

  /// Where the secret comes from, for people; a command's text may hold what is nobody's business.
  public func secretOrigin(environment: [String: String]) -> String? {
    if environment[secretVariable]?.isEmpty == false { return secretVariable }
    return secretFile ?? secretCommand.map { _ in Self.secretCommandKey }
  }
}

/// How a secret comes in: never by an argument, which everybody on the machine can see.
public enum SinkSecret {
  /// Longer than any token, shorter than a file that is named by mistake.
  private static let limit = 65_536
  private static let patienceSeconds = 60

  /// The file's first line. Throws `secretTooOpen` for a file that others may read, `secretUnreadable`, `secretEmpty`.
  public static func read(file path: String) throws(LibreError) -> Secret {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .sink(.secretUnreadable(path: path, reason: FileBytes.text(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .sink(.secretUnreadable(path: path, reason: "it is no file"))
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .sink(.secretTooOpen(path: path, mode: String(status.st_mode & 0o777, radix: 8)))
    }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .sink(.secretUnreadable(path: path, reason: FileBytes.text(errno))) }
    return try secret(bytes.prefix(count), from: path)
  }

  /// From a file or a command that is named, else from a variable. Throws `secretMissing` where none of the three is there.
  public static func chosen(
    file: String?, command: String?, variable: String, environment: [String: String]
  ) throws(LibreError) -> Secret {
    if let file { return try read(file: file) }
    if let command { return try ask(command, environment) }
    if let text = environment[variable], !text.isEmpty { return Secret(text) }
    throw .sink(.secretMissing(variable: variable))
  }

  /// What a command writes in its first line, such as `pass show nightscout`.
  static func ask(_ command: String, _ environment: [String: String]) throws(LibreError) -> Secret {
    // The secrets of other sinks are none of its business.
    let own = environment.filter { !$0.key.hasPrefix(SinkSetup.secretVariablePrefix) && $0.key != webhookVariable }
    // It may ask a person, on the terminal, but not for ever.
    let words = ["timeout", "--foreground", "\(patienceSeconds)", "sh", "-c", command]
    let (bytes, hasLine, status) = try firstLine(of: words, environment: own)
    // As a shell says it: 128 and more for a signal. What it had to say after the line was not heard.
    let ending = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    guard ending == 0 || hasLine && ending == 128 + SIGPIPE else {
      throw .sink(.secretCommandFailed(status: Int(ending)))
    }
    return try secret(bytes, from: SinkSetup.secretCommandKey)
  }

  /// What a program writes before its first line end, and its wait status. Its environment is the one that is given from
  /// its first instant: a shell between would show the secrets of others, however briefly, to whoever may look.
  private static func firstLine(
    of words: [String], environment: [String: String]
  ) throws(LibreError) -> (bytes: [UInt8], hasLine: Bool, status: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let answer = fdopen(ends[0], "r") else { throw .sink(.secretCommandFailed(status: -1)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Standard input may be somebody's data.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, words[0], &actions, nil, &arguments, &variables)
    close(ends[1])
    // As a shell says that there is no such program.
    guard failure == 0 else {
      fclose(answer)
      throw .sink(.secretCommandFailed(status: failure == ENOENT ? 127 : 126))
    }
    // No more than the line: what it leaves running may hold the pipe open.
    var bytes: [UInt8] = []
    var hasLine = false
    while bytes.count < limit, !hasLine {
      let byte = getc(answer)
      guard byte >= 0 else { break }
      if byte == 0x0A { hasLine = true } else { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    }
    // Else what has more to say would wait for a reader.
    fclose(answer)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (bytes, hasLine, status)
  }

  /// For `webhook verify`.
  public static let webhookVariable = "LIBRE_WEBHOOK_SECRET"

  /// The first line of standard input, for `--secret-stdin`.
  public static func readStandardInput() throws(LibreError) -> Secret {
    try secret(try FileBytes.read("-").prefix(limit), from: "standard input")
  }

  static func secret(_ bytes: some Collection<UInt8>, from origin: String) throws(LibreError) -> Secret {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else { throw .sink(.secretEmpty(origin: origin)) }
    guard let text = String(validating: line, as: UTF8.self), !text.utf8.contains(0) else {
      throw .sink(.secretUnreadable(path: origin, reason: "its first line is no text"))
    }
    return Secret(text)
  }

  /// Writes a secret to a file that only its owner can read.
  public static func write(_ secret: Secret, to path: String) throws(LibreError) {
    let isThere = FileBytes.exists(path)
    if let words = FileBytes.makePrivate(path) { throw .output(path: path, reason: words) }
    do throws(LibreError) {
      let draft = try FileBytes.Draft(of: path, isPrivate: true)
      try draft.append(Array("\(secret.revealed())\n".utf8))
      try draft.finish()
    } catch {
      if !isThere { unlink(path) }
      throw error
    }
  }
}

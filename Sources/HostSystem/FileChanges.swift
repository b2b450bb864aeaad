// SPDX-License-Identifier: Apache-2.0
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells when a database file changes, whoever writes it, without looking again and again (inotify).
package enum FileChanges {
  /// An element for each change of the file, or of the write-ahead log beside it; several at once are one. It ends when
  /// the directory is removed; before there is one, when a directory on the way to it is made.
  ///
  /// Reading the database does not make one. nil if the kernel cannot watch any more files.
  package static func stream(ofDatabase path: String) -> AsyncStream<Void>? {
    let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let changes = UInt32(IN_MODIFY | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ONLYDIR)
    // The file, or the first directory on the way to it that is missing.
    var awaited = path
    while inotify_add_watch(descriptor, FileSystem.directory(of: awaited).fileName, changes) < 0 {
      let directory = FileSystem.directory(of: awaited)
      guard errno == ENOENT, directory != "/", directory != "." else {
        close(descriptor)
        return nil
      }
      awaited = directory
    }
    let isThere = awaited == path
    let name = awaited.split(separator: "/").last.map(String.init) ?? awaited
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Dispatch's sources may be cancelled from any thread; their type does not say so.
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      switch takeEvents(of: descriptor, name) {
      case .changed: if isThere { continuation.yield() } else { continuation.finish() }
      case .ended: continuation.finish()
      case .nothing: break
      }
    }
    source.setCancelHandler { close(descriptor) }
    continuation.onTermination = { _ in source.cancel() }
    source.resume()
    // It may have been made before the watch began.
    if !isThere, FileSystem.exists(awaited) { continuation.finish() }
    return stream
  }

  private enum News { case nothing, changed, ended }

  private static func takeEvents(of descriptor: Int32, _ name: String) -> News {
    var news = News.nothing
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return news }
      buffer.withUnsafeBytes { bytes in
        let header = MemoryLayout<inotify_event>.size
        var start = 0
        while start + header <= count {
          let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          let text = bytes[(start + header)..<min(count, start + header + Int(event.len))].prefix { $0 != 0 }
          start += header + Int(event.len)
          if event.mask & UInt32(IN_IGNORED | IN_Q_OVERFLOW) != 0 {
            news = event.mask & UInt32(IN_IGNORED) != 0 ? .ended : .changed
          } else if news != .ended, isChange(String(decoding: text, as: UTF8.self), event.mask, of: name) {
            news = .changed
          }
        }
      }
    }
  }

  /// True for what a writer does. A reader may create an empty log and remove it again: only what is written into it counts.
  private static func isChange(_ file: String, _ mask: UInt32, of name: String) -> Bool {
    file == name || file == "\(name)-wal" && mask & UInt32(IN_MODIFY) != 0
  }
}

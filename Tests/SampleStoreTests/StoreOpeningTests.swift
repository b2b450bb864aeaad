// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HostSystem
@testable import SampleStore

struct StoreOpeningTests {
  private let folder: StoreFolder
  private let sensor = ReadingFixture()

  init() throws { folder = try StoreFolder() }

  private var path: String { folder.path() }

  private func reading() throws -> SensorStore { try SensorStore(path, for: .reading) }
  private func writing() throws -> SensorStore { try SensorStore(path, for: .writing) }

  @Test("a store that does not exist is reported as missing, and reading creates none")
  func missing() {
    #expect(throws: StoreError.missing(path: path)) { try reading() }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    #expect(throws: StoreError.missing(path: path)) { try reading() }
  }

  @Test("a store in a missing directory cannot be opened")
  func noFolder() {
    let path = folder.path("nowhere/history.sqlite")
    #expect(throws: StoreError.cannotOpen(path: path, words: "unable to open database file")) {
      try SensorStore(path, for: .writing)
    }
  }

  @Test("stored data is there when the store is opened again, also for reading")
  func reopened() throws {
    var store: SensorStore? = try writing()
    _ = try store?.add(sensor.scan(100))
    let samples = try store?.samples()
    store = nil
    #expect(try writing().samples() == samples)
    #expect(try reading().samples() == samples)
    #expect(throws: StoreError.readOnly(path: path)) { try reading().add(sensor.scan(101)) }
  }

  @Test("a store of a later version, text, and a database of another program are refused and not changed")
  func others() throws {
    _ = try writing()
    let found = Schema.version + 1
    try folder.database().execute("PRAGMA user_version = \(found)")
    try folder.expectRefused { .newerSchema(path: $0, found: found, known: Schema.version) }
    let text = Data(repeating: UInt8(ascii: "x"), count: 5_000)
    try text.write(to: folder.url.appendingPathComponent("notes.txt"))
    try folder.database("xdrip.sqlite").execute("CREATE TABLE LibreBlock (x)")
    for name in ["notes.txt", "xdrip.sqlite"] { try folder.expectRefused(StoreError.notAStore, name) }
  }

  @Test("a store of a development version before 0.1.0 is refused with the way over, and not changed")
  func earlierSchema() throws {
    for version in 1...7 {
      try folder.database("\(version)").execute(
        """
        CREATE TABLE finger_stick (id BLOB PRIMARY KEY);
        PRAGMA user_version = \(version); PRAGMA application_id = \(Schema.applicationID)
        """)
      try folder.expectRefused(StoreError.earlierSchema, "\(version)")
    }
    // The last of them remembered no alerts.
    _ = try writing()
    try folder.database().execute("DROP TABLE alert; DROP TABLE sink_run; PRAGMA user_version = 1")
    try folder.expectRefused(StoreError.earlierSchema)
  }

  @Test("a damaged page is reported as damage, in a query and in a check")
  func corrupt() throws {
    var store: SensorStore? = try writing()
    for age in stride(from: 480, through: 9_600, by: 240) { _ = try store?.add(sensor.scan(age)) }
    try store?.shrink()
    store = nil
    let url = URL(fileURLWithPath: path)
    var bytes = try Data(contentsOf: url)
    // Damages all pages except the first, which has the schema.
    for page in 1..<bytes.count / 4_096 {
      bytes.replaceSubrange(page * 4_096..<page * 4_096 + 64, with: Data(repeating: 0xEE, count: 64))
    }
    try bytes.write(to: url)
    func isDamage(_ error: any Error) -> Bool {
      if case .corrupt(path, _)? = error as? StoreError { true } else { false }
    }
    #expect(performing: { try reading().samples() }, throws: isDamage)
    #expect(performing: { try writing().add(sensor.scan(100)) }, throws: isDamage)
    do {
      #expect(try !reading().faults().isEmpty)
    } catch StoreError.corrupt {}
  }

  @Test("an invalid stored value is read as far as possible, and never crashes the program")
  func oddValues() throws {
    _ = try writing().add(sensor.scan(100))
    let database = try folder.database()
    try database.execute(
      """
      PRAGMA ignore_check_constraints = ON;
      UPDATE wear SET activated_at = 9223372036854775807, anchor_read_at = -9223372036854775808,
        number = -9223372036854775808;
      UPDATE scan SET age_minutes = 9223372036854775807, read_at = -9223372036854775808,
        memory = x'00', missing_blocks = 'x -1';
      UPDATE sample SET minute = 9223372036854775807 - minute, quality = '', ring = ring + 8,
        glucose = -1, temperature_adjustment = 99999999999;
      UPDATE sensor SET max_life_minutes = -5, uid = 'XXXXXXXXXXXXXXXX', fingerprint = 'nothing', family = '?';
      INSERT INTO user_calibration (wear, slope, intercept, points, made_at) VALUES (1, 1e999, 0, 'x:y:z 1:2', -9223372036854775808);
      """)
    let store = try reading()
    _ = try store.samples(.of { ($0.from, $0.to) = (ReadingFixture.start, ReadingFixture.start) })
    #expect(try store.samples().allSatisfy { $0.sample.time == nil })
    #expect(try store.only().identity.uid == nil && store.onlyWear().disagreements.isEmpty)
    try store.forEachScan { scan in
      #expect(scan.memory.readAt == nil)
      return true
    }
    let other = try folder.store("other.sqlite")
    #expect(throws: StoreError.self) { try other.merge(store) }
    #expect(try other.sensors().isEmpty)
  }

  @Test("a file without write permission gives an error on opening for writing, and can be read")
  func readOnlyFile() throws {
    var store: SensorStore? = try writing()
    _ = try store?.add(sensor.scan(100))
    store = nil
    try Unprivileged.run { () throws in
      chmod(path, 0o444)
      chmod(folder.url.path, 0o777)
      #expect(throws: StoreError.readOnly(path: path)) { try writing() }
      #expect(try reading().samples().count == 22)
    }
  }

  @Test("a store in a read-only directory can be read, with all data in its log")
  func readOnlyFolder() throws {
    let store = try writing()
    _ = try store.add(sensor.scan(100))
    // As after a crash: the log exists, but its index does not.
    let crashed = folder.url.appendingPathComponent("crashed", isDirectory: true)
    let closed = folder.url.appendingPathComponent("closed", isDirectory: true)
    for copy in [crashed, closed] {
      try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: crashed.path + "/history.sqlite" + suffix)
    }
    try store.shrink()
    try FileManager.default.copyItem(atPath: path, toPath: closed.path + "/history.sqlite")
    try Unprivileged.run { () throws in
      for copy in [crashed, closed] {
        let path = copy.appendingPathComponent("history.sqlite").path
        for file in ["history.sqlite", "history.sqlite-wal"] { chmod(copy.appendingPathComponent(file).path, 0o444) }
        chmod(folder.url.path, 0o755)
        chmod(copy.path, 0o555)
        #expect(try SensorStore(path, for: .reading).samples().count == 22, "\(path)")
        #expect(throws: StoreError.readOnly(path: path)) { try SensorStore(path, for: .writing) }
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: copy.path)).count <= 2)
      }
      let new = closed.appendingPathComponent("new.sqlite").path
      #expect(throws: StoreError.cannotOpen(path: new, words: "unable to open database file")) {
        try SensorStore(new, for: .writing)
      }
    }
    for copy in [crashed, closed] { chmod(copy.path, 0o755) }
  }

  @Test("a second writer gets the error that the store is busy, and readers continue")
  func busy() throws {
    let first = try writing()
    _ = try first.add(sensor.scan(100))
    let second = try SensorStore(path, for: .writing, lockTimeoutSeconds: 0)
    try first.database.execute("BEGIN IMMEDIATE")
    _ = try first.add(sensor.scan(110))
    #expect(throws: StoreError.busy(path: path)) { try second.add(sensor.scan(120)) }
    #expect(try second.samples().count == 22)
    #expect(try reading().samples().count == 22)
    try first.database.execute("COMMIT")
    #expect(try second.add(sensor.scan(120)).added == 10 + 1)
  }

  @Test("with four writers and four readers each scan is stored once, and readers see only whole scans")
  func concurrent() throws {
    let writers = 4
    let scansEach = TestTier.rounds(8, full: 30)
    let errors = Mutex<[String]>([])
    let path = path
    let scans = { @Sendable [sensor] (writer: Int) in
      (0..<scansEach).map { sensor.scan(500 + $0 * 10 + writer * 1_000) }
    }
    // All start with a file that does not exist yet.
    DispatchQueue.concurrentPerform(iterations: 2 * writers) { number in
      do {
        if number % 2 == 0 {
          let store = try SensorStore(path, for: .writing, lockTimeoutSeconds: 60)
          for scan in scans(number / 2) { _ = try store.add(scan) }
        } else {
          for _ in 0..<scansEach {
            do {
              let store = try SensorStore(path, for: .reading)
              try store.snapshot { () throws(StoreError) in
                var trend = 0
                try store.forEach(.of { $0.rings = [.trend] }) { _ throws(StoreError) in
                  trend += 1
                  return true
                }
                let scans = try store.sensors().first?.wears.reduce(0) { $0 + $1.scans } ?? 0
                // A scan adds 16 trend samples, or 10 if 6 are already in the scan before.
                if trend < scans * 10 || trend > scans * 16 { errors.withLock { $0.append("\(trend) of \(scans)") } }
              }
            } catch StoreError.missing {}
          }
        }
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock { $0 } == [])
    let store = try reading()
    let alone = try folder.store("alone.sqlite")
    for scan in (0..<writers).flatMap(scans) { _ = try alone.add(scan) }
    #expect(try store.remembered() == alone.remembered())
    #expect(try store.onlyWear().scans == writers * scansEach && store.faults() == [])
  }
}

/// Runs code without the superuser's right to write everywhere, which tests in a container often have.
private enum Unprivileged {
  /// Gives this thread no user rights on the file system meanwhile. Only the C library has a named call for that.
  static func run(_ work: () throws -> Void) throws {
    guard geteuid() == 0 else { return try work() }
    typealias SetUser = @convention(c) (UInt32) -> CInt
    guard let symbol = dlsym(nil, "setfsuid") else { throw CocoaError(.featureUnsupported) }
    let setUser = unsafeBitCast(symbol, to: SetUser.self)
    _ = setUser(65_534)
    defer { _ = setUser(0) }
    try work()
  }
}

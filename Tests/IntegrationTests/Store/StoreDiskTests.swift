// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Foundation
  import TestSupport
  import Testing

  /// A disk that is full or read-only. The store keeps what it has, and the error says what could not be stored.
  @Suite("A store on a disk that is full or read-only", .onOwnThreads, .startsProcesses)
  struct StoreDiskTests {
    private let store: FaultyStore

    init() throws { store = try FaultyStore() }

    /// A place for mounts of our own: root's, or where the system lets users have one.
    static let ownMounts: String? = ["unshare -m", "unshare -rm"].first { command in
      (try? Sandbox().shell("\(command) sh -c 'mount -t tmpfs none /mnt'").status) == 0
    }

    static var mounting: ConditionTrait {
      .enabled("this system lets us mount nothing") { ownMounts != nil }
    }

    /// Reads the sensor while the store takes nothing: the reading is printed, its memory kept, and imported later.
    private static let readAnyway = """
      $LIBRE read --reader sim:active:9 --store $STORE --csv >read.csv 2>read.err; echo $? >read.status
      """

    private func expectKeptReading(_ words: String) throws {
      let sandbox = store.sandbox
      let text = { (name: String) in try String(contentsOfFile: sandbox.path(name), encoding: .utf8) }
      let errors = try text("read.err")
      #expect(try text("read.status") == "74\n")
      #expect(errors.hasPrefix("libre: ") && errors.contains(words) && errors.contains("\n  Try: "), "\(errors)")
      let samples = try text("read.csv").split(separator: "\n").dropFirst().map { PrintedSample(csv: String($0)) }
      #expect(samples.count == 48)
      let folder = "home/.local/state/libre/unstored"
      let saved = try FileManager.default.contentsOfDirectory(atPath: sandbox.path(folder))
      let name = try #require(saved.first)
      #expect(saved.count == 1 && errors.contains("the reading was saved in \(sandbox.path(folder))/\(name)"))
      #expect(errors.contains("Try: libre import \(sandbox.path(folder))/\(name)\n"))
      let mode = try FileManager.default.attributesOfItem(atPath: sandbox.path("\(folder)/\(name)"))[.posixPermissions]
      #expect(mode as? Int == 0o600)
      // And it is the same reading, with the same times.
      let later = try sandbox.run("import", "\(folder)/\(name)", "--store", "later.sqlite")
      #expect(later.status == 0, "\(later.errors)")
      let stored = try sandbox.run("export", "--to", "ndjson", "--ring", "all", "--store", "later.sqlite")
      for sample in samples {
        #expect(stored.lines.contains { $0.contains(sample.id) && $0.contains(sample.time) }, "\(sample.dated)")
      }
    }

    @Test("a full disk is reported, nothing is lost, and imports continue when there is space", mounting)
    func full() throws {
      let outcome = try store.shell(
        """
        mkdir disk && mount -t tmpfs -o size=300k none disk && cp $STORE disk/ && STORE=disk/history.sqlite || exit 1
        $LIBRE import --mine --store $STORE *.hex >full.out 2>full.err; echo $? >full.status
        dd if=/dev/zero of=disk/ballast bs=1k 2>/dev/null
        \(Self.readAnyway)
        $LIBRE export --to ndjson --ring all --store $STORE >full.ndjson || exit 2
        $LIBRE store check --store $STORE || exit 3
        mount -o remount,size=4m disk || exit 4
        $LIBRE import --mine --store $STORE *.hex >roomy.out || exit 5
        $LIBRE store check --store $STORE || exit 6
        cp disk/history.sqlite folder/after.sqlite
        """, within: try #require(Self.ownMounts))
      #expect(outcome.status == 0, "\(outcome)")
      let text = { (name: String) in try String(contentsOfFile: store.sandbox.path(name), encoding: .utf8) }
      #expect(try text("full.status") == "74\n")
      let errors = try text("full.err")
      #expect(errors.contains("the disk of the store disk/history.sqlite is full") && errors.contains("\n  Try: "))
      // All files are one batch here: none of it was acknowledged, none of it is there.
      #expect(try text("full.out") == "")
      #expect(try text("full.ndjson").split(separator: "\n").map(String.init) == store.initialContents)
      #expect(try text("roomy.out").split(separator: "\n").count == 24)
      try expectKeptReading("the disk of the store disk/history.sqlite is full")
    }

    @Test("a limit on the file size is reported as a full disk")
    func fileSizeLimit() throws {
      // In blocks of 512 bytes; the shell's own output is shorter.
      let outcome = try store.shell("ulimit -f 300; exec $LIBRE import --mine --store $STORE *.hex")
      #expect(outcome.fails(74, saying: "is full, so nothing was stored"), "\(outcome)")
      #expect(try store.run(["store", "check"]).status == 0)
      #expect(try store.contents() == store.initialContents)
    }

    @Test("a directory without write permission is reported", arguments: ["chmod 555 folder", "chmod 444 $STORE"])
    func readOnly(lock: String) throws {
      let outcome = try store.shell(
        """
        \(lock)
        for command in "import 5.hex" "add 104" "store vacuum"; do
          $AS_USER $LIBRE $command --store $STORE; echo "$command: $?"
        done
        export AS_USER; LIBRE="$AS_USER $LIBRE"
        \(Self.readAnyway)
        $LIBRE export --to ndjson --ring all --store $STORE >locked.ndjson; echo "export: $?"
        $LIBRE store check --store $STORE >check.out; echo "check: $?"
        chmod 755 folder; chmod 644 $STORE
        """)
      #expect(outcome.lines == ["import 5.hex: 74", "add 104: 74", "store vacuum: 74", "export: 0", "check: 0"])
      let errors = outcome.errors.split(separator: "\n")
      #expect(errors.count == 6, "\(outcome.errors)")
      #expect(errors.filter { $0.contains("the store folder/history.sqlite is read-only") }.count == 3)
      #expect(errors.filter { $0.hasPrefix("  Try: ") }.count == 3)
      let locked = try String(contentsOfFile: store.sandbox.path("locked.ndjson"), encoding: .utf8)
      #expect(locked.split(separator: "\n").map(String.init) == store.initialContents)
      try expectKeptReading("is read-only")
      #expect(try store.contents() == store.initialContents)
    }

    @Test("a read-only medium is reported", mounting)
    func readOnlyMedium() throws {
      let outcome = try store.shell(
        """
        mount --bind folder folder && mount -o remount,bind,ro folder || exit 1
        $LIBRE import 5.hex --store $STORE; echo "import: $?"
        $LIBRE export --to ndjson --ring all --store $STORE >locked.ndjson; echo "export: $?"
        $LIBRE store check --store $STORE >check.out; echo "check: $?"
        """, within: try #require(Self.ownMounts))
      #expect(outcome.lines == ["import: 74", "export: 0", "check: 0"])
      #expect(outcome.errors.hasPrefix("libre: the store folder/history.sqlite is read-only"))
      let locked = try String(contentsOfFile: store.sandbox.path("locked.ndjson"), encoding: .utf8)
      #expect(locked.split(separator: "\n").map(String.init) == store.initialContents)
    }

    @Test("a directory that cannot be created is named in the error")
    func noFolder() throws {
      let outcome = try store.shell(
        "mkdir closed && chmod 555 closed; $AS_USER $LIBRE import 5.hex --store closed/new/history.sqlite")
      #expect(outcome.fails(74, saying: "cannot be opened: Permission denied"), "\(outcome)")
    }

    @Test("samples in the write-ahead log of another user are read too")
    func logWithoutIndex() throws {
      // A copy of a store that was in use, on a medium that takes no index of the log: without the log it would be old.
      let outcome = try store.shell(
        """
        printf '%s\\n' 'PRAGMA wal_autocheckpoint = 0;' "UPDATE sensor SET serial = 'LOGGED';" \\
          '.shell mkdir copy; cp folder/history.sqlite folder/history.sqlite-wal copy' | sqlite3 $STORE >&2
        chmod 555 copy
        $AS_USER $LIBRE export --to ndjson --store copy/history.sqlite; status=$?
        chmod 755 copy
        exit $status
        """)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.lines.count == 4 * 32)
      #expect(outcome.lines.allSatisfy { $0.contains(#""serial":"LOGGED""#) })
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Foundation
  import TestSupport
  import Testing

  /// The store keeps what it has, and the error says what could not be stored.
  @Suite("A store on a disk that is full", .onOwnThreads, .startsProcesses)
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

    /// The sensor was read while the store took nothing: the reading is printed, its memory kept, and imported later.
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
      let status = ["status", "--json", "--store", "later.sqlite"]
      #expect(try sandbox.run(status).text.contains("unstored/\(name)\""))
      let shown = try sandbox.run("status", "--store", "later.sqlite").lines
      let remedy = "  Try: libre import \(sandbox.path(folder))/\(name)"
      #expect(shown.contains { $0.hasPrefix("  ") && $0.hasSuffix(remedy) }, "\(shown)")
      // And it is the same reading, with the same times.
      let later = try sandbox.run("import", "\(folder)/\(name)", "--store", "later.sqlite")
      #expect(later.status == 0, "\(later.errors)")
      #expect(try sandbox.run(status).text.contains("\"kept_aside\": []"))
      let stored = try sandbox.run("export", "--to", "ndjson", "--ring", "all", "--store", "later.sqlite")
      for sample in samples {
        #expect(stored.lines.contains { $0.contains(sample.id) && $0.contains(sample.time) }, "\(sample.counts)")
      }
    }

    @Test("a full disk is reported, nothing is lost, and imports continue when there is space", mounting)
    func full() throws {
      let outcome = try store.shell(
        """
        mkdir disk && mount -t tmpfs -o size=300k none disk && cp $STORE disk/ && STORE=disk/history.sqlite || exit 1
        $LIBRE import --mine --store $STORE *.hex >full.out 2>full.err; echo $? >full.status
        dd if=/dev/zero of=disk/ballast bs=1k 2>/dev/null
        $LIBRE read --reader sim:active:9 --store $STORE --csv >read.csv 2>read.err; echo $? >read.status
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
  }
#endif

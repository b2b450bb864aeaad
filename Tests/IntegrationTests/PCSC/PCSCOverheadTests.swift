// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CGMModel
  import Foundation
  import LibreKit
  import NFCTransport
  import Libre1Core
  import TestSupport
  import Testing

  /// Compares what a full read costs on the host with the same exchanges in a loop of C. Only `make bench` runs it.
  extension PCSCTests {
    @Suite("and the time to read it", .enabled("make bench runs it") { isBenchmark })
    struct PCSCOverheadTests {
      /// Reads in a turn, and turns: in turns, so that a busy moment of the machine meets both.
      private static let (reads, turns) = (20, 15)

      private static let image = Scenario.named("active")!.image(seed: 7)

      @Test("is at most 1.5 times the time of the same exchanges in a bare loop, without the time of the reader itself")
      func overhead() async throws {
        let sandbox = try Sandbox()
        try sandbox.write(Self.bareLoop, to: "loop.c")
        let compiled = try await sandbox.shell(
          "cc -O2 $(pkg-config --cflags libpcsclite) loop.c -o loop -lpcsclite", in: [:])
        try #require(compiled.status == 0, "\(compiled.errors)")
        var ours: [Double] = []
        var bare: [Double] = []
        try await PCSCDaemon.runForThisProcess(readers: [good], log: false) { daemon in
          let tag = SimulatedTag(memory: Self.image.bytes, uid: uid, patchInfo: Self.image.patchInfo)
          let card = VirtualCard(.transparentSession, tag: tag, uid: uid.bytes)
          let reader = daemon.reader(0)
          try await reader.insert(card)

          // The first read finds the dialect out; what the second sends is what the loop repeats.
          var start = 0
          for _ in 0..<2 {
            start = await card.commands.count
            try await withReader { reader in try await Self.read(reader) }
          }
          let commands = await card.commands.dropFirst(start)
          #expect(commands.count == 20)
          let lines = commands.map { $0.map { String(format: "%02X", $0) }.joined() }
          try sandbox.write(lines.joined(separator: "\n") + "\n", to: "commands")

          for _ in 0..<Self.turns {
            _ = reader.takeOwnTime()
            let began = ContinuousClock.now
            try await withReader { reader in for _ in 0..<Self.reads { try await Self.read(reader) } }
            ours.append(((ContinuousClock.now - began) - reader.takeOwnTime()) / .milliseconds(Self.reads))
            let loop = try await sandbox.shell(
              "./loop '\(reader.name) 00 00' \(Self.reads) < commands", in: daemon.environment)
            try #require(loop.status == 0, "\(loop.errors)")
            let total = try #require(Double(loop.text.trimmingCharacters(in: .newlines)))
            bare.append((.microseconds(total) - reader.takeOwnTime()) / .milliseconds(Self.reads))
          }
        }
        // Other programs can only add to a time. It was 1.21 and 1.26 in two quiet runs.
        let (our, their) = (try #require(ours.min()), try #require(bare.min()))
        print(
          String(
            format: "a full read on the host: %.2f ms, bare loop %.2f ms, ratio %.2f (gate 1.5)", our, their,
            our / their))
        #expect(our / their <= 1.5)
      }

      private static func read(_ reader: any TagReader) async throws {
        let report = await ScanRunner.run(on: reader, limit: ample, now: { Instant(secondsSince1970: 0) })
        try #require(report.failure == nil && report.image.bytes == image.bytes)
      }

      /// Connects, sends the commands of standard input, and disconnects, as often as requested; prints the time in µs.
      private static let bareLoop = """
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <time.h>
        #include <winscard.h>

        #define CHECK(CALL) do { LONG code = CALL; if (code != SCARD_S_SUCCESS) { \\
          fprintf(stderr, "%s: %lX\\n", #CALL, (unsigned long)code); return 1; } } while (0)

        int main(int count, char **arguments) {
          static unsigned char commands[64][300];
          DWORD lengths[64] = {0};
          int used = 0;
          char line[700];
          while (fgets(line, sizeof line, stdin) && used < 64) {
            for (char *digits = line; strlen(digits) >= 2; digits += 2) {
              unsigned byte;
              if (sscanf(digits, "%2x", &byte) != 1) break;
              commands[used][lengths[used]++] = (unsigned char)byte;
            }
            used++;
          }
          SCARDCONTEXT context;
          CHECK(SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &context));
          struct timespec begin, end;
          clock_gettime(CLOCK_MONOTONIC, &begin);
          for (int read = 0; read < atoi(arguments[2]); read++) {
            SCARDHANDLE card;
            DWORD protocol;
            CHECK(SCardConnect(context, arguments[1], SCARD_SHARE_EXCLUSIVE, SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1,
              &card, &protocol));
            CHECK(SCardBeginTransaction(card));
            SCARD_IO_REQUEST sending = {protocol, sizeof sending};
            for (int index = 0; index < used; index++) {
              unsigned char answer[300];
              DWORD length = sizeof answer;
              CHECK(SCardTransmit(card, &sending, commands[index], lengths[index], NULL, answer, &length));
            }
            CHECK(SCardEndTransaction(card, SCARD_LEAVE_CARD));
            CHECK(SCardDisconnect(card, SCARD_UNPOWER_CARD));
          }
          clock_gettime(CLOCK_MONOTONIC, &end);
          printf("%.1f\\n", (end.tv_sec - begin.tv_sec) * 1e6 + (end.tv_nsec - begin.tv_nsec) / 1e3);
          return count - 3;
        }
        """
    }
  }

  private var isBenchmark: Bool { ProcessInfo.processInfo.environment["LIBRE_BENCH"] != nil }
#endif

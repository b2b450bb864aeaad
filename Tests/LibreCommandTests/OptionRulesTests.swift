// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import libre

/// Options that do not fit together, or a value that an option does not take, are refused before anything is opened. The
/// form in which a user sees that is in UsageErrorTests.
struct OptionRulesTests {
  /// A command line without `libre`, and words of what is said about it.
  private static let refused = [
    ("stats --by file", "works only with files"), ("stats --by subject", "works only with files"),
    ("stats --by file a.csv --samples --json", "--samples"), ("stats --by file a.csv --profile", "--profile"),
    ("stats --by day a.csv --csv --profile", "--profile"), ("stats --by subject a.csv --subject S1", "--subject"),
    ("stats --samples", "--samples"), ("stats dump.hex --store s.sqlite", "--store"),
    ("compare --calibration oop", "factory, reader, user, linear:SLOPE,OFFSET"),
    ("compare --grid surveillance", "clarke"), ("compare --within -1", "0 to 1440"),
    ("compare --memories", "needs dumps"), ("compare --memories dump.hex --svg x.svg", "without them"),
    ("compare --official dumps --source libre", "works only with --calibration, --json and --csv"),
    ("compare --memories dump.hex --calibration user", "needs the store"), ("compare dump.hex --uid E0", "--memories"),
    ("decode x.ndjson --lines --uid E007A0000025905E", "--uid"), ("decode x.ndjson --jobs 0", "1 to 256"),
    ("decode x.ndjson --jobs 257", "1 to 256"), ("decode x.ndjson --keep-members --json", "--keep-members"),
    ("decode x.ndjson --keep-members --ndjson --no-lines", "--keep-members"),
    ("decode x.ndjson --keep-members --ndjson --uid E007A0000025905E", "--keep-members"),
    ("decode log.txt --dump 0", "--dump"), ("decode log.txt --dump 1 --all", "--all"),
    ("plot --width 10", "--width"), ("plot --height 2", "--height"), ("plot --uid E0", "--uid"),
    ("simulate --scenario nothing", "libre simulate --list"), ("simulate --seed=-1", "--seed"),
    ("simulate --seed=18446744073709551616", "--seed"), ("simulate --days 14", "--out-dir"),
    ("simulate --days 0 --out-dir x", "1 to 3660"), ("simulate --days 3661 --out-dir x", "1 to 3660"),
    ("simulate --out-dir x", "--days"), ("simulate --days 1 --out-dir x --scenario active", "--scenario"),
    ("simulate --days 1 --out-dir x --from 2024-05-02 --until 2024-05-03", "exclude each other"),
    ("latest --format tmux --json", "exclude each other"), ("find backup --csv", "cannot write CSV"),
    ("import --found backup --read-at now", "without --found"), ("read --no-samples --csv", "--csv"),
    ("history --revisions --calibration factory", "--revisions"), ("history --after 0-1 --limit 3", "--limit"),
    ("convert hex --lines --to hex", "json"), ("export --format csv --out x.csv.GZ", "| gzip > FILE.gz"),
    ("report dump.hex --out - --svg -", "--svg"), ("report dump.hex --out one --svg one", "--svg"),
    ("report dump.hex --store s.sqlite", "--store"), ("add 104 --dry-run", "--dry-run"),
    ("history --ring middle", "--ring"), ("decode", "missing"), ("decode a.hex --json --csv", "--csv"),
    ("simulate --seed x", "--seed"),
  ]

  @Test("options that do not fit together, and impossible values, are refused with the way out", arguments: refused)
  func refusal(line: String, words: String) throws {
    let arguments = line.split(separator: " ").map(String.init)
    let error = try #require(throws: (any Error).self) { try Libre.parseAsRoot(arguments) }
    #expect(Libre.exitCode(for: error) == .validationFailure)
    let report = UsageReport(of: error, arguments: arguments)
    #expect(!report.message.isEmpty && !report.resolution.isEmpty)
    #expect("\(report.message)\n\(report.resolution)".contains(words), "\(report)")
  }
}

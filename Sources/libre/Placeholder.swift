import ArgumentParser

@main struct L: ParsableCommand {}

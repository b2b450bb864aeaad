# SPDX-License-Identifier: Apache-2.0
"""Starts the commands that are measured, so that neither the work nor the memory of this Python counts."""

import os
import sys
import time
from pathlib import Path

# A process of its own, since Linux counts what a process was before it became libre: as small as a Python can be.
LAUNCHER = """
import os, sys
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as file: print(usage.ru_maxrss, file=file)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
"""

NOTHING = os.open(os.devnull, os.O_RDWR)


def milliseconds(command):
    """The elapsed and the processor time from start to end; what it prints is thrown away. Ends the program if the command
    fails."""
    # subprocess would add a tenth to a short command.
    start = time.perf_counter_ns()
    process = os.posix_spawnp(
        command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, NOTHING, stream) for stream in (0, 1)])
    _, status, usage = os.wait4(process, 0)
    elapsed = time.perf_counter_ns() - start
    if status != 0:
        sys.exit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    return elapsed / 1e6, 1e3 * (usage.ru_utime + usage.ru_stime)


def smallest(commands, rounds):
    """The smallest elapsed and the smallest processor time of each command in milliseconds, by its name. They take turns, so
    that a busy moment meets all of them, and the smallest counts, because other programs can only add to a time."""
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(milliseconds(command))
    return {name: [min(column) for column in zip(*values)] for name, values in times.items()}


def noting_peak(command, note):
    """The command that runs a command and writes the most memory that it had into the file `note`."""
    return [sys.executable, "-S", "-I", "-c", LAUNCHER, note, *command]


def noted_peak(note):
    """The bytes in that file."""
    return int(Path(note).read_text()) * 1024

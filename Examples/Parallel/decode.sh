#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Decodes an archive of memories, one in each line, on several machines with GNU parallel. On one machine libre needs no
# such help: it uses all processors itself.
#
#   decode.sh [OPTION OF PARALLEL]… <MEMORIES >READINGS
#
#   decode.sh --sshlogin clinic1,clinic2 <archive.ndjson >readings.ndjson
#
# The order of the lines is kept. libre must be on each machine; LIBRE names another program than `libre`.
set -euo pipefail

# --pipe: each process gets whole lines, about a block of them. --halt: a process that fails ends the whole, with its
# status; a memory that cannot be decoded is no such failure, its line is a libre.error/1, also if a block has no other
# (--keep-going).
exec parallel --pipe --block 8M --keep-order --halt now,fail=1 "$@" \
  "${LIBRE:-libre}" decode - --lines --ndjson --keep-going --jobs 1 --quiet

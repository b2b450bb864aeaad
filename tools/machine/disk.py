# SPDX-License-Identifier: Apache-2.0
"""A disk in memory for the guest's kernel, which remembers every write and can fail as disks do.

It is a network block device whose server is a thread of this process, at the other end of a pair of sockets
(linux/nbd.h: the protocol is that of Documentation/admin-guide/blockdev/nbd.rst). Like the cache of a real disk it may lose
what was not flushed: `cut` says what is left if the power goes after any of its writes.
"""

import errno
import fcntl
import random
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path

SET_SOCK, SET_BLKSIZE, DO_IT, CLEAR_SOCK = 0xAB00, 0xAB01, 0xAB03, 0xAB04
SET_SIZE_BLOCKS, DISCONNECT, SET_FLAGS = 0xAB07, 0xAB08, 0xAB0A
HAS_FLAGS, SEND_FLUSH, SEND_FUA = 1, 4, 8
READ, WRITE, DISC, FLUSH = 0, 1, 2, 3
FUA = 1 << 16
REQUEST, REPLY = struct.Struct(">IIQQI"), struct.Struct(">IIQ")
ASKED, ANSWERED = 0x25609513, 0x67446698
BLOCK, SIZE = 4096, 48 << 20


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


class Disk:
    """A disk with a file system on it, or with the bytes of another one; mounted at `path`."""

    number = 0

    def __init__(self, path, image=None):
        self.path = Path(path)
        self.bytes = bytearray(image or bytes(SIZE))
        # The log of the disk: ("write", offset, bytes, is durable), ("flush",), ("mark", name).
        self.log = []
        self.lock = threading.Lock()
        # Called with the number of a write or flush, from 1; True lets it fail.
        self.fails_write = lambda number: False
        self.fails_read = lambda offset, length: False
        self.writes = 0
        run("modprobe", "nbd")
        # One that was taken away a moment ago may still be in use.
        self.device = f"/dev/nbd{Disk.number % 16}"
        Disk.number += 1
        self.attach()
        if image is None:
            run("mkfs.ext4", "-q", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", self.device)
            self.base = bytes(self.bytes)
        self.log.clear()
        self.writes = 0
        self.mount()

    # The kernel's side

    def attach(self):
        self.file = open(self.device, "rb+", buffering=0)
        ours, self.theirs = socket.socketpair()
        for call, value in ((SET_BLKSIZE, BLOCK), (SET_SIZE_BLOCKS, len(self.bytes) // BLOCK),
                            (SET_FLAGS, HAS_FLAGS | SEND_FLUSH | SEND_FUA), (SET_SOCK, self.theirs.fileno())):
            fcntl.ioctl(self.file, call, value)
        threading.Thread(target=self.serve, args=(ours,), daemon=True).start()
        self.works = threading.Thread(target=lambda: fcntl.ioctl(self.file, DO_IT), daemon=True)
        self.works.start()

    def mount(self):
        self.path.mkdir(parents=True, exist_ok=True)
        run("mount", "-t", "ext4", self.device, self.path)

    def unmount(self):
        # A program that a case has started may still have a file open.
        for _ in range(100):
            if subprocess.run(["umount", self.path], check=False, capture_output=True).returncode == 0:
                return
            time.sleep(0.1)
        run("umount", "-l", self.path)

    def detach(self):
        """Takes the disk away, mounted or not."""
        if subprocess.run(["mountpoint", "-q", self.path], check=False).returncode == 0:
            self.fails_write, self.fails_read = lambda number: False, lambda offset, length: False
            self.unmount()
        for call in (DISCONNECT, CLEAR_SOCK):
            fcntl.ioctl(self.file, call)
        self.works.join()
        self.file.close()

    def remount(self):
        """As after a restart: nothing of the disk is in the kernel's memory any more."""
        self.unmount()
        run("blockdev", "--flushbufs", self.device)
        subprocess.run(["fsck.ext4", "-p", self.device], check=False, capture_output=True)
        self.mount()

    # The disk's side

    def serve(self, connection):
        def receive(count):
            parts = bytearray()
            while len(parts) < count:
                part = connection.recv(count - len(parts))
                if not part:
                    return None
                parts += part
            return bytes(parts)

        while header := receive(REQUEST.size):
            magic, kind, handle, offset, length = REQUEST.unpack(header)
            assert magic == ASKED
            data, error = b"", 0
            if kind & 0xFFFF == WRITE:
                data = receive(length)
            with self.lock:
                data, error = self.answer(kind & 0xFFFF, bool(kind & FUA), offset, length, data)
            if kind & 0xFFFF == DISC:
                return
            connection.sendall(REPLY.pack(ANSWERED, error, handle) + data)

    def answer(self, kind, is_durable, offset, length, data):
        if kind == READ:
            if self.fails_read(offset, length):
                return b"", errno.EIO
            return bytes(self.bytes[offset:offset + length]), 0
        if kind in (WRITE, FLUSH):
            self.writes += 1
            if self.fails_write(self.writes):
                return b"", errno.EIO
            if kind == WRITE:
                self.bytes[offset:offset + length] = data
                self.log.append(("write", offset, data, is_durable))
            else:
                self.log.append(("flush",))
        return b"", 0

    def mark(self, *what):
        """Notes that something has happened, for which all earlier writes may be needed."""
        with self.lock:
            self.log.append(("mark", *what))

    def cut(self, end, draw):
        """The bytes that are left if the power goes after the first `end` entries of the log: all that was flushed, and of
        the rest any part, as `draw` has it."""
        entries = self.log[:end]
        flushed = max((index for index, entry in enumerate(entries) if entry[0] == "flush"), default=-1)
        image = bytearray(self.base)
        for index, entry in enumerate(entries):
            if entry[0] == "write" and (index < flushed or entry[3] or draw.random() < 0.5):
                image[entry[1]:entry[1] + len(entry[2])] = entry[2]
        return bytes(image)

# SPDX-License-Identifier: Apache-2.0
"""Writes the bytes of a file in the forms in which programs keep bytes: containers.py FILE DIRECTORY

Each file of the directory is made by the program that people use for it, where that is at hand.
"""

import base64
import csv
import email.charset
import email.mime.application
import email.mime.multipart
import email.mime.text
import gzip
import io
import json
import pickle
import plistlib
import pprint
import quopri
import shutil
import sqlite3
import struct
import subprocess
import sys
import tarfile
import textwrap
import xml.etree.ElementTree as xml
import zipfile
import zlib
from array import array
from pathlib import Path
from urllib.parse import quote_from_bytes

source, directory = Path(sys.argv[1]), Path(sys.argv[2])
memory = source.read_bytes()
blocks = [memory[start:start + 8] for start in range(0, len(memory), 8)]
signed = list(array("b", memory))


def write(name, content):
    (directory / name).write_bytes(content.encode() if isinstance(content, str) else content)


def run(name, *command):
    if shutil.which(command[0]):
        write(name, subprocess.run(command, capture_output=True, check=True).stdout)


# Programs that show bytes.
for options in ("", "-u", "-i", "-e", "-p", "-b", "-c 8", "-c 32", "-g 1", "-g 4", "-ps -c 60", "-C -i", "-d", "-o 4096"):
    run(f"xxd {options}.txt", "xxd", *options.split(), str(source))
for options in ("", "-C", "-b", "-c", "-d", "-o", "-x", "-v -C"):
    run(f"hexdump {options}.txt", "hexdump", *options.split(), str(source))
run("hexdump -e.txt", "hexdump", "-v", "-e", '8/1 "%02x" "\\n"', str(source))
for options in ("", "-An -tx1", "-tx1 -Ad", "-tx1z", "-tu1", "-td1", "-tx2", "-tx4", "-tx8", "-b", "-c", "-td2", "-i", "-d", "-tu2",
                "-to2", "-An -v -tu1 -w1", "-tu4", "-x --endian=big"):
    run(f"od {options}.txt", "od", *options.split(), str(source))
run("base64.txt", "base64", str(source))
run("base64 -w0.txt", "base64", "-w0", str(source))
run("openssl.txt", "openssl", "base64", "-in", str(source))

# The text of programming languages.
write("python repr.py", f"data = {memory!r}\n")
write("python list.py", f"data = {list(memory)}\n")
write("python pprint.txt", pprint.pformat(list(memory), compact=True))
write("python bytearray.py", repr(bytearray(memory)))
write("python hex.py", str([hex(byte) for byte in memory]))
write("java.java", "byte[] m = {" + ", ".join(map(str, signed)) + "};\n")
write("kotlin.kt", "byteArrayOf(" + ", ".join(map(str, signed)) + ")\n")
write("swift.swift", "let m: [UInt8] = [\n" + textwrap.fill(", ".join(f"0x{byte:02x}" for byte in memory), 100) + "\n]\n")
write("rust.rs", "&[" + ", ".join(f"0x{byte:02x}u8" for byte in memory) + "]\n")
write("go.go", "[]byte{" + ", ".join(f"0x{byte:x}" for byte in memory) + "}\n")
write("shell.sh", "printf '" + "".join(f"\\{byte:03o}" for byte in memory) + "'\n")
write("pickle", pickle.dumps({"memory": memory}))

# JSON, XML, tables.
write("array.json", json.dumps({"memory": list(memory)}))
write("indented.json", json.dumps({"memory": list(memory)}, indent=2))
write("digits.json", json.dumps({"memory": memory.hex()}))
write("base64.json", json.dumps({"memory": base64.b64encode(memory).decode()}))
write("characters.json", json.dumps(memory.decode("latin-1")))
write("in a string.json", json.dumps({"log": json.dumps({"memory": base64.b64encode(memory).decode()})}))
write("blocks.json", json.dumps([{"block": number, "data": block.hex()} for number, block in enumerate(blocks)]))
write("blocks indented.json", json.dumps([{"block": n, "data": list(block)} for n, block in enumerate(blocks)], indent=1))
write("blocks in lines.json", "".join(
    json.dumps({"time": 1_714_645_000 + n, "block": n, "data": block.hex()}) + "\n" for n, block in enumerate(blocks)))
write("notebook.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": [f'm = bytes.fromhex("{memory.hex()}")\n']}]}))
root = xml.Element("memory")
for number, block in enumerate(blocks):
    xml.SubElement(root, "block", index=str(number)).text = block.hex()
write("blocks.xml", xml.tostring(root))
for name, dialect in (("blocks.csv", csv.excel), ("blocks quoted.csv", csv.unix_dialect), ("blocks.tsv", csv.excel_tab)):
    table = io.StringIO()
    csv.writer(table, dialect).writerows([["block", "data"]] + [[n, block.hex(" ")] for n, block in enumerate(blocks)])
    write(name, table.getvalue())
write("table.html", "<table>" + "".join(
    f"<tr><td>{n:02X}</td><td>{block.hex(' ').upper()}</td></tr>\n" for n, block in enumerate(blocks)) + "</table>")
write("fence.md", "# A sensor\n\n```\n" + "\n".join(block.hex(" ") for block in blocks) + "\n```\n")
write("bytes.plist", plistlib.dumps({"memory": memory}))
write("binary.plist", plistlib.dumps({"memory": memory, "n": [1, 2, 3]}, fmt=plistlib.FMT_BINARY))
write("url.txt", "data=" + quote_from_bytes(memory))

# Mail.
attached = email.mime.multipart.MIMEMultipart()
attached.attach(email.mime.text.MIMEText("see the file"))
attached.attach(email.mime.application.MIMEApplication(memory, Name="memory.bin"))
write("attached.eml", attached.as_bytes())
printable = email.charset.Charset("utf-8")
printable.body_encoding = email.charset.QP
write("printable.eml", email.mime.text.MIMEText(f"Grüße\n{memory.hex()}\n", _charset=printable).as_bytes())
write("utf-8.eml", email.mime.text.MIMEText(f"Grüße\n{memory.hex(' ')}\n", _charset="utf-8").as_bytes())
write("printable bytes.eml", b"Content-Transfer-Encoding: quoted-printable\n\n" + quopri.encodestring(memory))

# Archives and databases.
for name, method, inner in (("deflated.zip", zipfile.ZIP_DEFLATED, memory), ("stored.zip", zipfile.ZIP_STORED, memory.hex(" "))):
    with zipfile.ZipFile(directory / name, "w", method) as archive:
        archive.writestr("readme.txt", "nothing " * 99)
        archive.writestr("scans/memory", inner)
with zipfile.ZipFile(directory / "document.docx", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("word/document.xml", "<w:document>" + "".join(
        f'<w:p><w:r w:rsidR="00AB12CD"><w:t>{block[:4].hex(" ")}</w:t></w:r><w:r><w:t xml:space="preserve"> {block[4:].hex(" ")}'
        "</w:t></w:r></w:p>" for block in blocks) + "</w:document>")
for name, mode in (("plain.tar", "w"), ("packed.tgz", "w:gz")):
    with tarfile.open(directory / name, mode) as archive:
        archive.add(source, "memory.bin")
write("memory.gz", gzip.compress(memory))
write("memory.z", zlib.compress(b"abc" * 99 + memory))
write("backup.ab", b"ANDROID BACKUP\n5\n1\nnone\n" + zlib.compress((directory / "plain.tar").read_bytes()))
for name, value in (("blob", memory), ("text", memory.hex()), ("base64", base64.b64encode(memory).decode()),
                    ("json", json.dumps({"memory": memory.hex()}))):
    database = sqlite3.connect(directory / f"{name}.sqlite")
    database.execute("CREATE TABLE scans (id INTEGER PRIMARY KEY, memory)")
    database.execute("INSERT INTO scans (memory) VALUES (?)", (value,))
    database.commit()
    if name == "blob":
        write("dump.sql", "\n".join(database.iterdump()))
    database.close()

# Recordings.
packet = bytes.fromhex("28016B059767452301 00A007E050003900 02".replace(" ", "")) + memory + b"\x29"
pieces = [bytes.fromhex("0240201B00170004001B0E00") + packet[start:start + 20] for start in range(0, len(packet), 20)]
write("radio.pcap", struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, 201) + b"".join(
    struct.pack("<IIII", 1_714_645_000, 0, len(piece), len(piece)) + piece for piece in pieces))
write("radio.btsnoop", b"btsnoop\0" + struct.pack(">II", 1, 1002) + b"".join(
    struct.pack(">IIIIQ", len(piece), len(piece), 1, 0, 0) + piece for piece in pieces))
write("usb.pcap", struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, 220) + b"".join(
    struct.pack("<IIII", 1_714_645_000, 0, 84, 84) + b"@" * 64 + struct.pack("<BIBBBBB", 0x80, 10, 0, n, 0, 0, 0) + block + b"\x90\x00"
    for n, block in enumerate(blocks)))

# SPDX-License-Identifier: Apache-2.0
"""Units of the system on a fresh installation"""

import hashlib
import re
import shutil
import urllib.error
import urllib.request

from guest import *

UNITS = ("libre-watch", "libre-sync", "libre-serve")
HOME = Path("/var/lib/libre")
DATA = HOME / ".local/share/libre"


def is_up(unit, *options):
    """It runs, and was not started a second time."""
    state = {name: property_of(unit, name, *options) for name in ("ActiveState", "SubState", "NRestarts", "Result")}
    expect(state == {"ActiveState": "active", "SubState": "running", "NRestarts": "0", "Result": "success"},
           lambda: f"{unit}: {state}\n{journal('-u', unit, '-n', '8')}")


def secret():
    """The secret that libre-serve has made, and where it says that it is: at its first start."""
    def places():
        words = re.findall(r"/[\w./-]*secret[\w.-]*", root.run("journalctl", "-o", "cat", "-u", "libre-serve").out)
        return [word for word in words if Path(word).is_file()]

    return Path(until("the journal of libre-serve says where its secret is", places,
                      lambda: journal("-u", "libre-serve", "-n", "8"))[-1]).read_text().splitlines()[0]


def served(path, key=None):
    """What a client on this machine is answered."""
    request = urllib.request.Request(f"http://127.0.0.1:17580{path}")
    if key:
        request.add_header("api-secret", hashlib.sha1(key.encode()).hexdigest())
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def answers(key):
    try:
        served("/api/v1/entries.json?count=1", key)
        return True
    except urllib.error.URLError:
        return False


def as_libre(*arguments, status=0):
    return root.run("sudo", "-u", "libre", "-H", "libre", *arguments, status=status)


@case(*UNITS)
def enabled(unit):
    """systemctl enable --now {} is all that is needed: it runs, without a second start"""
    systemctl("enable", "--now", unit)
    # What would end it, ends it at once; systemd says when a service has told what it is about.
    until("it has started", lambda: property_of(unit, "ActiveState") != "activating")
    if unit == "libre-serve":
        # The secret is made before it listens.
        until("it answers", lambda: answers(secret()), lambda: journal("-u", unit, "-n", "8"))
    else:
        # Its own threads are there, so that it has read its settings.
        until("it waits", lambda: threads_of(unit) > 1 or property_of(unit, "ActiveState") == "failed")
    is_up(unit)
    note("\n".join(line for line in journal("-u", unit).splitlines() if line.startswith(("libre: ", "  Try: "))))


def threads_of(unit):
    path = Path(f"/proc/{property_of(unit, 'MainPID')}/task")
    return len(list(path.iterdir())) if path.exists() else 0


@case(*UNITS)
def exposure(unit):
    """systemd-analyze security finds an exposure of at most 2.0 for {}"""
    text = root.run("systemd-analyze", "security", "--no-pager", unit, status=None).out
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", text)
    expect(found and float(found[1]) <= 2.0, text[-300:])
    note(f"{unit}: {found[1]}")


@case()
def secret_is_private():
    """the secret that libre-serve has made is nobody else's to read, and without it nothing is served"""
    key = secret()
    expect(len(key) >= 12, f"it has {len(key)} characters")
    try:
        served("/api/v1/entries.json?count=1")
    except urllib.error.HTTPError as error:
        expect(error.code == 401, f"its status is {error.code}")
    else:
        raise Failed("it serves without the secret")
    visitor.run("sh", "-c", "! cat /etc/libre/*secret* /var/lib/libre/*secret* /var/lib/libre/.config/libre/*secret*")


@case()
def told_without_a_reader():
    """the units tell by a program that a scan is due, once, while no reader is plugged in"""
    program, told = HOME / "tell", HOME / "told.ndjson"
    program.write_text(f"#!/bin/sh\ncat >>{told}\n")
    program.chmod(0o755)
    systemctl("stop", *UNITS)
    root.run("date", "-s", "7 hours ago 50 minutes ago")
    try:
        as_libre("read", "--reader", "sim:active", "--store", DATA / "history.sqlite")
    finally:
        root.run("date", "-s", "7 hours 50 minutes")
    as_libre("alerts", "add", "scan-due", "--run", program)
    systemctl("start", *UNITS)
    until("a unit has told it", lambda: told.exists() and told.read_text().endswith("\n"),
          lambda: "".join(journal("-u", unit, "-n", "8") for unit in UNITS))
    alert = json.loads(told.read_text())
    expect(alert["kind"] == "scan-due" and 0 < alert["minutes_left"] <= 15, f"it told {alert}")
    note(alert["text"])
    expect(not as_libre("alerts", "check").out, "it must not be told again")
    expect(len(told.read_text().splitlines()) == 1, f"it was told {len(told.read_text().splitlines())} times")
    # The cases after this one begin with an empty store.
    systemctl("stop", *UNITS)
    as_libre("alerts", "remove", "scan-due")
    shutil.rmtree(DATA)
    systemctl("start", *UNITS)


def failed_units():
    # A session of the user who tries things, which logind ends, is no part of libre.
    return systemctl("--failed", "--type=service,socket,mount", "--no-legend", "--plain").out


@case()
def nothing_failed():
    """nothing has failed"""
    failed = failed_units()
    expect(not failed, failed)

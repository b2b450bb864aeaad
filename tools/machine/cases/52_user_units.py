# SPDX-License-Identifier: Apache-2.0
"""Units of a user who is not logged in"""

import urllib.error
import urllib.request

from guest import *

UNITS = ("libre-watch", "libre-sync", "libre-serve")


def user(*arguments, status=0):
    return member.run("systemctl", "--user", *arguments, status=status)


def served():
    """What a program of this computer is answered; None while it is not."""
    try:
        return json.load(urllib.request.urlopen("http://127.0.0.1:17580/api/v1/entries.json?count=1"))
    except urllib.error.URLError:
        return None


def shown(unit, name):
    return user("show", "-P", name, unit).out.strip()


def is_up(unit):
    state = {name: shown(unit, name) for name in ("ActiveState", "SubState", "NRestarts", "Result")}
    expect(state == {"ActiveState": "active", "SubState": "running", "NRestarts": "0", "Result": "success"},
           lambda: f"{unit}: {state}\n{journal('--user-unit', unit, '-n', '8')}")


@case()
def lingering():
    """with lingering, systemctl --user enable --now is all that is needed for a reading to be stored, served and sent"""
    root.run("loginctl", "enable-linger", "member")
    until("the user's manager runs", lambda: user("is-system-running", status=None).out.strip() in ("running", "degraded"))
    sent = member.home / "sent.ndjson"
    sent.unlink(missing_ok=True)
    try:
        for unit in UNITS:
            user("enable", "--now", unit)
        member.libre("sink", "add", "out", "file", f"path={sent}")
        plug("utrust3720")
        tag()
        until("the reading is in the store", lambda: member.libre("latest", status=None).status == 0,
              lambda: f"{Process.last}\n{journal('--user-unit', 'libre-watch', '-n', '8')}")
        until("it is served", served, lambda: journal("--user-unit", "libre-serve", "-n", "8"))
        until("it is sent", lambda: sent.exists() and sent.read_text(), lambda: journal("--user-unit", "libre-sync", "-n", "8"))
        for unit in UNITS:
            is_up(unit)
        for unit in UNITS:
            user("stop", unit)
            expect(shown(unit, "Result") == "success", f"{unit} ended with {shown(unit, 'Result')}")
        # Others of a user without a desktop may have failed: bluez's mpris-proxy has.
        failed = user("list-units", "--failed", "--no-legend", "--plain", "libre-*").out
        expect(not failed, failed)
    finally:
        user("disable", "--now", *UNITS, status=None)
        root.run("loginctl", "disable-linger", "member", status=None)

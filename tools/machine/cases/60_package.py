# SPDX-License-Identifier: Apache-2.0
"""The package: upgrade, remove, purge"""

import sqlite3

from guest import *

DEB = HERE / "libre.deb"
STORE = person.home / ".local/share/libre/history.sqlite"


def fill():
    """A store with a reading in it, and what its history is."""
    plug("utrust3720")
    tag()
    listed(1)
    person.libre("read")
    unplug()
    return person.libre("history", "--csv").out


def install():
    root.run("dpkg", "-i", DEB)


def files():
    return [path for path in root.run("dpkg", "-L", "libre").out.splitlines() if not Path(path).is_dir()]


def keep_store(step):
    """The step must not change a file of the user."""
    def store():
        return {path: path.read_bytes() for path in person.home.glob(".*/**/libre/*") if path.is_file()}
    before = store()
    step()
    expect(store() == before and before, "the step changed files of the user")


@case()
def upgrade():
    """an upgrade over an older version, with a store of the first schema, loses no value, and restarts the units that run"""
    # The older package holds the same files, so its store has the schema of this one. The first released package takes its
    # place once this one has a later schema.
    older = RUN / "older"
    root.run("dpkg-deb", "-R", DEB, older)
    control = older / "DEBIAN/control"
    control.write_text("".join(
        "Version: 0.0.1-1\n" if line.startswith("Version:") else line for line in control.read_text().splitlines(keepends=True)))
    root.run("dpkg-deb", "--root-owner-group", "-Znone", "--build", older, RUN / "older.deb")
    root.run("dpkg", "-i", RUN / "older.deb")
    before = fill()
    systemctl("start", "libre-watch")
    old = property_of("libre-watch", "MainPID")
    keep_store(install)
    until("libre-watch is restarted", lambda: property_of("libre-watch", "MainPID") not in ("0", old))
    expect(property_of("libre-sync", "ActiveState") == "inactive", "a unit that did not run was started")
    systemctl("stop", "libre-watch")
    expect(person.libre("history", "--csv").out == before, "the history is another one after the upgrade")
    plug("utrust3720")
    tag("expired", 5)
    listed(1)
    person.libre("read", "--mine")
    lost = set(before.splitlines()) - set(person.libre("history", "--csv").out.splitlines())
    expect(not lost, f"these values are gone: {sorted(lost)[:3]}")


@case()
def development_store():
    """a store of a development version before 0.1.0 is refused with the way over, and stays as it is"""
    fill()
    database = sqlite3.connect(STORE)
    database.execute("CREATE TABLE finger_stick (id BLOB PRIMARY KEY)")
    database.close()
    shutil.chown(STORE, "person", "person")
    before = STORE.read_bytes()
    for command in (["history"], ["store", "check"]):
        refused = person.libre(*command, status=74)
        expect("libre export" in refused.err and "libre import" in refused.err, f"no way over: {refused.err}")
    expect(STORE.read_bytes() == before, "the store was changed")


@case()
def remove():
    """removing the package removes its files, stops its units, and leaves the user's store as it is"""
    fill()
    installed = files()
    systemctl("enable", "--now", "libre-watch")
    until("libre-watch runs", lambda: os.readlink(f"/proc/{property_of('libre-watch', 'MainPID')}/exe") == "/usr/bin/libre")
    try:
        keep_store(lambda: root.run("dpkg", "-r", "libre"))
        left = [path for path in installed if Path(path).exists() and not path.startswith("/etc")]
        expect(not left, f"these files are left: {left[:3]}")
        state = property_of("libre-watch", "ActiveState")
        expect(state in ("inactive", "failed"), f"libre-watch is {state}:\n{journal('-u', 'libre-watch', '-n', '8')}")
        dangling = [str(path) for path in Path("/etc/systemd").rglob("libre*") if path.is_symlink() and not path.exists()]
        expect(not dangling, f"these links lead nowhere: {dangling}")
    finally:
        systemctl("stop", "libre-watch", status=None)
        install()
        systemctl("disable", "libre-watch", status=None)


@case()
def purge():
    """purging the package leaves nothing of it but the stores"""
    fill()
    installed = files()
    keep_store(lambda: root.run("dpkg", "-P", "libre"))
    left = [path for path in installed if Path(path).exists()]
    expect(not left, f"these files are left: {left[:3]}")
    expect(not root.run("dpkg-query", "-W", "-f", "${db:Status-Abbrev}", "libre", status=None).out.strip(), "dpkg still knows it")

# SPDX-License-Identifier: Apache-2.0
"""Access: who may use a reader"""

import re

from guest import *

# Debian 12's pcscd asks nobody.
ASKS_NOBODY = "bookworm"


def reads(user):
    return expect_reading(user.libre("read", "--json").json)


@case()
def administrator():
    """root reads a sensor on a PC/SC reader"""
    plug("utrust3720")
    tag()
    listed(1)
    reads(root)


@case()
def at_the_seat():
    """the user who is logged in at the machine reads a sensor on a PC/SC reader"""
    plug("utrust3720")
    tag()
    listed(1)
    session = person.run("loginctl", "show-session", "self", "-p", "Seat", "-p", "Active", status=None).out
    expect("Seat=seat0" in session and "Active=yes" in session, f"this is no session at the machine: {session}")
    reads(person)


@case()
def members():
    """a member of plugdev who is not at the machine reads a sensor by the package's rule for polkit"""
    plug("utrust3720")
    tag()
    listed(1)
    reads(member)


def command_of(process):
    """The command that an error suggests, as it stands."""
    found = re.search(r"Try: (.*)$", process.err, re.MULTILINE)
    expect(found, "the error must suggest a command")
    return found[1]


@case(unless=ASKS_NOBODY)
def without_a_seat():
    """a user without a seat is refused with status 77, and with polkit's rule and the very command that helps"""
    plug("utrust3720")
    tag()
    listed(1)
    refused = visitor.libre("read", "--json", status=77)
    note(refused.err)
    for word in ("polkit", "plugdev"):
        expect(word in refused.err, f"standard error must say {word}")
    try:
        visitor.shell(command_of(refused))
        # To log in again is to have one's groups.
        reads(visitor)
    finally:
        root.run("gpasswd", "-d", "visitor", "plugdev", status=None)


@case(only=ASKS_NOBODY)
def without_polkit():
    """a user without a seat reads where pcscd does not ask polkit"""
    plug("utrust3720")
    tag()
    listed(1)
    reads(visitor)


@case("proxmark3", "flipper")
def port_at_the_seat(product):
    """the user who is logged in at the machine reads a sensor on a {}"""
    plug(product)
    tag()
    listed(1)
    reads(person)


@case("proxmark3", "flipper")
def port_of_members(product):
    """a member of dialout reads a sensor on a {}"""
    plug(product)
    tag()
    listed(1)
    reads(caller)


@case("proxmark3", "flipper")
def port_without_access(product):
    """a user who is neither at the machine nor in dialout is refused a {} with status 77, and with the very command"""
    plug(product)
    tag()
    listed(1)
    refused = visitor.libre("read", "--json", status=77)
    expect("dialout" in refused.err, "standard error must name the group")
    try:
        visitor.shell(command_of(refused))
        reads(visitor)
    finally:
        root.run("gpasswd", "-d", "visitor", "dialout", status=None)

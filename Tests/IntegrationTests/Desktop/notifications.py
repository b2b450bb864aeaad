#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a shell script in a desktop session of its own: a private message bus with a program that shows notifications.

    notifications.py SCRIPT

Prints what the script prints, and then a line of JSON with the arguments of every notification.
"""

import json
import subprocess
import sys

import dbus
import dbusmock

dbusmock.DBusTestCase.start_session_bus()
server, notifications = dbusmock.DBusTestCase.spawn_server_template("notification_daemon", {}, stdout=subprocess.DEVNULL)
try:
    status = subprocess.run(["sh", "-c", sys.argv[1]], check=False).returncode
    calls = notifications.GetMethodCalls("Notify", dbus_interface=dbusmock.MOCK_IFACE)
    print(json.dumps({"status": status, "notifications": [arguments for _, arguments in calls]}))
finally:
    server.terminate()
    server.wait()
    dbusmock.DBusTestCase.tearDownClass()

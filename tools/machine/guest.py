#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the cases in the guest, and has what they are written with.

A case is a function with @case; its documentation is the sentence by which it is reported. It says what a user does, with
`plug`, `USER.libre(…)`, `USER.start(…)`, and what must be true, with `expect` and `until`. A case that returns has passed.
Whatever it has started and plugged in is gone before the next case.

    guest.py [AREA…]   runs the cases of all areas, in the order of their files, and reports to the host
    guest.py --seat    runs commands in the session of the user at the machine
"""

import importlib.util
import json
import os
import pwd
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

HERE = Path("/opt/machine")
RUN = Path("/run/machine")
SUITE = (HERE / "suite").read_text().strip() if (HERE / "suite").exists() else ""
# All rounds of what is random, and all cases of what fails.
CMDLINE = Path("/proc/cmdline").read_text().split()
FULL = "machine.tier=full" in CMDLINE
# Nothing that a case waits for takes as long, however busy the host is.
EVER = 120
# A reader of each dialect of PC/SC: the product, and libre's name for the dialect.
DIALECTS = {
    "acr1552": "transparent-session",
    "acr1552-picc": "acs-pass-through",
    "utrust3720": "identiv",
    "omnikey5022": "read-binary",
    "h663": "springcard",
}


class Failed(Exception):
    """Something that must be true is not. It remembers the last command: what tidies up afterwards runs others."""

    def __init__(self, what):
        super().__init__(what)
        self.process = Process.last


def expect(condition, what):
    if not condition:
        raise Failed(what() if callable(what) else what)


def until(what, condition, result=None):
    """Waits until something is true, and returns what was found. `result` says what there is instead if it never is."""
    started = time.monotonic()
    while not (found := condition()):
        if time.monotonic() - started > EVER:
            found = result and result()
            if isinstance(found, Process):
                Process.last, found = found, None
            raise Failed(f"it never happened that {what}" + (f": {found}" if found else ""))
        time.sleep(0.05)
    return found


# Processes


class Process:
    """A command that a user has started. Its output is in files, so that nobody has to read it for it to go on."""

    number = 0
    all = []
    last = None

    def __init__(self, user, arguments, environment):
        Process.number += 1
        self.user, self.arguments = user, [str(argument) for argument in arguments]
        self.directory = RUN / f"processes/{Process.number}"
        self.directory.mkdir(parents=True, mode=0o755)
        self.directory.chmod(0o777)
        self.pid = user.launch(self.arguments, environment, self.directory)
        Process.all.append(self)
        Process.last = self

    @property
    def out(self):
        return (self.directory / "out").read_text(errors="replace")

    @property
    def err(self):
        return (self.directory / "err").read_text(errors="replace")

    @property
    def lines(self):
        """Complete lines of standard output."""
        return [line for line in self.out.splitlines(keepends=True) if line.endswith("\n")]

    @property
    def documents(self):
        """Complete lines of JSON."""
        return [json.loads(line) for line in self.lines]

    @property
    def json(self):
        try:
            return json.loads(self.out)
        except ValueError:
            raise Failed("its standard output is not JSON") from None

    @property
    def status(self):
        """The exit status, as a shell has it; None while the process runs."""
        path = self.directory / "status"
        return int(path.read_text()) if path.exists() else None

    def wait(self):
        until(f"'{shlex.join(self.arguments)}' ends", lambda: self.status is not None, lambda: self)
        Process.last = self
        return self

    def signal(self, number):
        if self.status is None:
            os.kill(self.pid, number)
        return self

    def open_files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def memory(self):
        """KB of memory that it occupies."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise Failed("it has no memory")

    def __str__(self):
        def indented(text):
            lines = text.splitlines()
            return "\n".join(f"      {line[:300]}" for line in lines[:4] + (["…"] if len(lines) > 16 else []) + lines[4:][-12:])

        status = "it still runs" if self.status is None else f"status {self.status}"
        return (
            f"    {self.user.name}$ {shlex.join(self.arguments)}\n    {status}\n"
            f"    standard output:\n{indented(self.out)}\n    standard error:\n{indented(self.err)}"
        )


def launch(arguments, environment, directory, **options):
    """Starts a command whose output and status go into files of the directory."""
    with open(directory / "out", "wb") as out, open(directory / "err", "wb") as err:
        process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, start_new_session=True, **options
        )

    def follow():
        code = process.wait()
        part = directory / "status.part"
        part.write_text(str(code if code >= 0 else 128 - code))
        part.rename(directory / "status")

    threading.Thread(target=follow, daemon=True).start()
    return process.pid


class User:
    """Somebody who is not at the machine: came by ssh, or is a service."""

    def __init__(self, name):
        self.name = name
        self.entry = pwd.getpwnam(name)
        self.home = Path(self.entry.pw_dir)

    def environment(self, more):
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin" + (":/usr/sbin:/sbin" if self.name == "root" else ""),
            "HOME": str(self.home), "USER": self.name, "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": f"/run/user/{self.entry.pw_uid}",
            "PWD": str(self.home), **more,
        }

    def launch(self, arguments, environment, directory):
        groups = os.getgrouplist(self.name, self.entry.pw_gid)
        return launch(
            arguments, self.environment(environment), directory, cwd=self.home, user=self.entry.pw_uid, group=self.entry.pw_gid,
            extra_groups=groups,
        )

    def start(self, *arguments, **environment):
        return Process(self, arguments, environment)

    def run(self, *arguments, status=0, **environment):
        """Runs a command to its end; `status` is the one that it must have, None for any."""
        process = self.start(*arguments, **environment).wait()
        expect(status is None or process.status == status, f"it must end with status {status}")
        return process

    def shell(self, line, **options):
        return self.run("sh", "-c", line, **options)

    def libre(self, *arguments, **options):
        return self.run("libre", *arguments, **options)

    def forget(self):
        """Removes what libre keeps of this user."""
        for path in (".local/share/libre", ".config/libre", ".cache/libre", ".local/state/libre"):
            shutil.rmtree(self.home / path, ignore_errors=True)


class Seat(User):
    """Somebody who sits at the machine: the commands run in a session of logind on seat0."""

    socket = RUN / "seat"

    def launch(self, arguments, environment, directory):
        until("somebody is logged in at the machine", self.socket.exists)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.socket))
            stream = connection.makefile("rw")
            stream.write(json.dumps([arguments, self.environment(environment), str(directory)]) + "\n")
            stream.flush()
            return int(stream.readline())


def serve_seat():
    """What the user at the machine does all day long: the shell of the session runs this."""
    listener = socket.socket(socket.AF_UNIX)
    Seat.socket.unlink(missing_ok=True)
    listener.bind(str(Seat.socket))
    listener.listen()
    while True:
        connection, _ = listener.accept()
        stream = connection.makefile("rw")
        arguments, environment, directory = json.loads(stream.readline())
        stream.write(f"{launch(arguments, {**os.environ, **environment}, Path(directory))}\n")
        stream.flush()
        connection.close()


# Devices

plugged = set()


def devices(*words):
    """Tells GuestDevices to do something, and returns what it answers."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(RUN / "devices"))
        stream = connection.makefile("rw")
        stream.write(" ".join(str(word) for word in words) + "\n")
        stream.flush()
        answer = stream.readline().strip()
    expect(answer.startswith("ok"), f"GuestDevices: {' '.join(map(str, words))}: {answer or 'it has ended'}")
    return answer[2:].strip()


def plug(product, port=0):
    devices("plug", product, port)
    plugged.add(port)


def unplug(port=0):
    devices("unplug", port)
    plugged.discard(port)


def tag(scenario="active", seed=7, port=0, age=None, **faults):
    """Lays a sensor of the simulator on the reader; an active one may have an age in minutes. A fault is `at_8="removal"` or `at_8="hang"`: at exchange 8."""
    devices("tag", port, f"{scenario}:{seed}" + (f":{age}" if age else ""), *(f"{key[3:]}={fault}" for key, fault in faults.items()))


def untag(port=0):
    """Takes the sensor away, and waits until pcscd has noticed: before that, it would take the next one for the same."""
    devices("untag", port)
    until("pcscd notices that the sensor is gone", lambda: device(port)["noticed"])


def device(port=0):
    """exchanges with the tag, hangs, tag."""
    return json.loads(devices("status", port))


def listed(count=1, user=None):
    """Waits until libre lists so many readers, and returns them."""
    user = user or root

    def found():
        process = user.libre("readers", "--json", status=None)
        readers = json.loads(process.out)["readers"] if process.out else []
        return readers if len(readers) == count else None

    return until(f"libre lists {count} readers", found, lambda: Process.last) if count else until(
        "libre lists no reader", lambda: found() is not None, lambda: Process.last)


# Readings

SAMPLE = ("ring", "minute", "raw", "quality", "errors", "temperature_c", "glucose_mg_dl")
SENSOR = ("state", "age_minutes", "max_life_minutes", "initializations", "end_of_life", "failure", "region")


def measured(reading):
    """What a sensor's memory alone decides: a read and the dump of the same memory agree on it (Measured.swift)."""
    result = {name: reading.get(name) for name in ("integrity", "calibration", "current")}
    result["sensor"] = {name: reading["sensor"].get(name) for name in SENSOR}
    for ring in ("history", "trend"):
        result[ring] = [{name: sample.get(name) for name in SAMPLE} for sample in reading[ring]]
    return result


decodings = {}


def decoded(scenario="active", seed=7):
    """What `libre decode` makes of the memory that `tag` lays on a reader."""
    if (scenario, seed) not in decodings:
        dump = RUN / f"{scenario}-{seed}.hex"
        root.libre("simulate", "--scenario", scenario, "--seed", seed, "--out", dump, "--force")
        decodings[scenario, seed] = measured(root.libre("decode", "--json", dump).json)
    return decodings[scenario, seed]


def expect_reading(reading, scenario="active", seed=7):
    """Value by value what `libre decode` makes of the same memory."""
    expect("sensor" in reading, lambda: f"it is not a reading: {json.dumps(reading)[:300]}")
    found, wanted = measured(reading), decoded(scenario, seed)
    expect(wanted["history"] and wanted["trend"], "the scenario has no values")
    different = [name for name in wanted if found[name] != wanted[name]]
    expect(not different, lambda: f"it differs from libre decode of the same memory in {', '.join(different)}: "
           f"{json.dumps(found[different[0]])[:200]} instead of {json.dumps(wanted[different[0]])[:200]}")
    return reading


def readings(process):
    """What a `libre watch` that goes on has read."""
    expect(process.status is None, "libre watch must not end")
    return [document for document in process.documents if "sensor" in document]


# Units


def systemctl(*arguments, status=0):
    return root.run("systemctl", *arguments, status=status)


def property_of(unit, name, *options):
    return root.run("systemctl", *options, "show", "-P", name, unit).out.strip()


def pcscd(action):
    """start, stop or restart: the service with its socket."""
    for unit in ("pcscd.service", "pcscd.socket") if action == "stop" else ("pcscd.socket",):
        systemctl("stop" if action == "restart" else action, unit)
    if action == "restart":
        systemctl("stop", "pcscd.service")
        systemctl("start", "pcscd.socket")


def journal(*arguments):
    return root.run("journalctl", "-b", "-o", "cat", "--no-pager", *arguments).out


# Cases

cases = []


def case(*values, only=None, unless=None):
    """A case, or one for each of the values, which its sentence names as {}. `only` and `unless` name a suite."""

    def register(function):
        for value in values or (None,):
            arguments = () if value is None else (value,)
            name = " ".join(function.__doc__.split()).format(*arguments)
            if (only is None or SUITE == only) and SUITE != unless:
                cases.append((name, lambda arguments=arguments: function(*arguments)))
        return function

    return register


def tidy():
    """The machine as it was before the case."""
    for process in Process.all:
        if process.status is None:
            process.signal(9)
    for process in Process.all:
        process.wait()
    Process.all.clear()
    had_readers = bool(plugged)
    for port in sorted(plugged):
        unplug(port)
    for user in (root, person, visitor, member, caller):
        user.forget()
    if property_of("pcscd.socket", "ActiveState") != "active":
        systemctl("start", "pcscd.socket")
    if had_readers and not forgets_readers():
        note("pcscd keeps a reader that is gone, and is restarted")
        pcscd("restart")


def forgets_readers():
    """True once pcscd shows no reader. It may keep one for ever that is unplugged with a sensor on it (PCSCSession.isGone)."""
    for _ in range(100):
        process = root.libre("readers", "--json", status=None)
        if "service_stuck" in process.out:
            return False
        if not process.out or not process.json["readers"]:
            return True
        time.sleep(0.1)
    return False


said = None


def say(line):
    said.write((line + "\n").encode())
    said.flush()
    print(line, flush=True)


def report(name, body):
    """Runs a case; true if it passed."""
    started = time.monotonic()
    Process.last = None
    failure = None
    try:
        body()
    except Exception as error:  # pylint: disable=broad-except
        where = [frame for frame in traceback.extract_tb(error.__traceback__) if "/cases/" in frame.filename]
        place = f" ({Path(where[-1].filename).name}, line {where[-1].lineno})" if where else ""
        kind = "" if isinstance(error, Failed) else f"{type(error).__name__}: "
        failure = f"    {kind}{error}{place}"
        last = getattr(error, "process", Process.last)
        failure += f"\n{last}" if last else ""
    try:
        tidy()
    except Exception as error:  # pylint: disable=broad-except
        failure = (failure or "") + f"    after the case: {error}\n{Process.last}"
    say(f"{'FAILED' if failure else 'ok':6}  {name} ({time.monotonic() - started:.0f} s)" + (f"\n{failure}" if failure else ""))
    return failure is None


def note(text):
    """Says what a user is told, or what the case has counted."""
    for line in text.splitlines():
        say(f"        {line}")


def main():
    global said  # pylint: disable=global-statement
    said = open("/dev/virtio-ports/said", "wb")
    subprocess.run(["mount", "-t", "configfs", "configfs", "/sys/kernel/config"], check=False, stderr=subprocess.DEVNULL)
    for module in ("dummy_hcd num=4", "libcomposite", "usb_f_fs", "usb_f_acm"):
        if subprocess.run(["modprobe", *module.split()], check=False).returncode:
            say(f"FAILED  the guest's kernel has no {module.split()[0]}")
            return "== done"
    RUN.mkdir(mode=0o755, exist_ok=True)
    RUN.chmod(0o1777)
    subprocess.Popen([HERE / "lib/ld-linux-x86-64.so.2", "--library-path", HERE / "lib", HERE / "GuestDevices", RUN / "devices"])
    until("GuestDevices listens", (RUN / "devices").exists)
    until("the boot is over", lambda: subprocess.run(
        ["systemctl", "is-system-running"], capture_output=True, text=True, check=False).stdout.strip() in ("running", "degraded", "starting"))
    wanted = [word.split("=")[1] for word in CMDLINE if word.startswith("machine.area=")] + sys.argv[1:]
    begun = HERE / "begun"
    done = begun.read_text().split() if begun.exists() else []
    for path in sorted((HERE / "cases").glob("*.py")):
        if path.name in done or wanted and path.name.split("_")[0] not in wanted:
            continue
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        cases.clear()
        spec.loader.exec_module(module)
        if getattr(module, "WANTS_BOOT", False) and f"boot:{path.name}" not in done:
            # Its cases are about the next boot.
            getattr(module, "before_boot", lambda: None)()
            done.append(f"boot:{path.name}")
            begun.write_text(" ".join(done))
            return "== again"
        if cases:
            say(f"{module.__doc__.splitlines()[0]}")
        for name, body in cases:
            report(name, body)
        done.append(path.name)
        begun.write_text(" ".join(done))
    return "== done"


if __name__ == "__main__":
    if "--seat" in sys.argv:
        serve_seat()
    # The cases import this file as `guest`; it must not be there twice.
    sys.modules["guest"] = sys.modules["__main__"]
    root, person, visitor, member, caller = (
        User("root"), Seat("person"), User("visitor"), User("member"), User("caller"))
    try:
        end = main()
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc()
        say("FAILED  the cases come to their end\n" + traceback.format_exc())
        end = "== done"
    with open("/dev/virtio-ports/journal", "wb") as port:
        subprocess.run(["journalctl", "-b", "-o", "short-monotonic", "--no-pager"], stdout=port, check=False)
    say(end)
    os._exit(0)  # pylint: disable=protected-access

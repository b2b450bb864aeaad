# SPDX-License-Identifier: Apache-2.0
"""Bluetooth meters and bridges for the cases: what is in the air around the guest, and what libre reads of it"""

from guest import *

ADDRESS = "C0:00:00:00:00:{:02X}"


class Air:
    """Meters and bridges in the air."""

    def __init__(self, *meters):
        subprocess.run(["modprobe", "hci_vhci"], check=True)
        for number, meter in enumerate(meters):
            meter.setdefault("address", ADDRESS.format(number + 1))
        self.process = subprocess.Popen(
            ["python3", HERE / "meters.py", json.dumps(meters)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=open(RUN / "meters.err", "wb"), text=True, env={**os.environ, "PYTHONPATH": str(HERE / "python")})
        expect(self.process.stdout.readline() == "ready\n", lambda: (RUN / "meters.err").read_text()[-2000:])
        systemctl("restart", "bluetooth")
        until("bluetoothd has an adapter", lambda: "Powered: yes" in self.ctl("show"), lambda: self.ctl("show"))

    @staticmethod
    def ctl(*words):
        return root.run("bluetoothctl", "--timeout", "5", *words, status=None).out

    def tell(self, number, *words):
        self.process.stdin.write(" ".join(map(str, (number, *words))) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        expect(answer == "ok", lambda: f"meters.py: {answer or (RUN / 'meters.err').read_text()[-2000:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree("/var/lib/bluetooth", ignore_errors=True)
        systemctl("restart", "bluetooth")


def simulated(kind="meter"):
    """What `libre meter read` makes of the simulated meter, and its packets."""
    reading = root.libre("meter", "read", f"sim:{kind}", "--json").json
    return reading, [record["packets"] for record in reading["records"]]


def read(*arguments, status=0):
    return root.libre("meter", "read", "--json", *arguments, status=status)


def new(process):
    return [record for record in process.json["records"] if record["outcome"] == "new"]


def one_more(packets, number=32_752):
    """A test of blood, 110 mg/dL, five minutes after the last record. Whatever kind the simulator's records are of today, this
    one is of a kind that is kept. It has the clock's offset, which the first one of a transfer has."""
    first, last = bytes.fromhex(packets[0][0]), bytes.fromhex(packets[-1][0])
    offset_and_value_and_status = 0x0B
    return (bytes([offset_and_value_and_status]) + number.to_bytes(2, "little") + last[3:8] + bytes([last[8] + 5, last[9]])
            + first[10:12] + bytes.fromhex("6EB0 11 0000")).hex()

# SPDX-License-Identifier: Apache-2.0
"""Asks a server what Home Assistant asks a Nightscout site, by the same client library, and prints what that read.

    nightscout.py URL [SECRET]
"""

import asyncio
import json
import sys

import py_nightscout


async def main(url, secret=None):
    api = py_nightscout.Api(url, api_secret=secret)
    status = await api.get_server_status()
    values = await api.get_sgvs()
    treatments = await api.get_treatments()
    devices = await api.get_latest_devices_status()
    return {
        "name": status.name,
        "version": status.version,
        "api_enabled": status.apiEnabled,
        "units": status.settings["units"],
        "values": [
            {
                "sgv": value.sgv,
                "date": value.date.isoformat(),
                "direction": value.direction,
                "delta": value.delta,
                "device": value.device,
            }
            for value in values
        ],
        "treatments": [
            {"event": treatment.eventType, "created_at": treatment.created_at.isoformat()} for treatment in treatments
        ],
        "devices": len(devices),
    }


try:
    print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
except Exception as error:
    print(json.dumps({"error": type(error).__name__, "status": getattr(error, "status", None)}))

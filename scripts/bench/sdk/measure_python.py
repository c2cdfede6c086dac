"""
Prints the requests per second of both clients of the Python SDK, and of httpx alone, as JSON. Ours and the floor take
short turns, because noise must affect both. Arguments: URL, key, rounds, slices of a round, seconds of a slice, requests
in flight.
"""

import asyncio
import json
import sys
import time

import httpx

from bluejay_post import AsyncBluejay, Bluejay

url, key = sys.argv[1:3]
rounds, slices = int(sys.argv[3]), int(sys.argv[4])
slice_s, in_flight = float(sys.argv[5]), int(sys.argv[6])
HEADERS = {"authorization": f"Bearer {key}"}
PATH = f"{url}/v1/wallet"


def per_second(call):
    """One caller that calls again as soon as its call has returned."""
    started, calls = time.perf_counter(), 0
    while time.perf_counter() - started < slice_s:
        call()
        calls += 1
    return calls / (time.perf_counter() - started)


async def per_second_async(call):
    """As `per_second`, with several callers in one event loop."""
    started, calls = time.perf_counter(), 0

    async def call_again():
        nonlocal calls
        while time.perf_counter() - started < slice_s:
            await call()
            calls += 1

    await asyncio.gather(*(call_again() for _ in range(in_flight)))
    return calls / (time.perf_counter() - started)


def mean(values):
    return sum(values) / len(values)


def measure_sync():
    found = {"ours": [], "floor": []}
    with Bluejay(key, url) as bluejay, httpx.Client() as http:

        def bare():
            return http.get(PATH, headers=HEADERS, timeout=30.0).raise_for_status().json()

        # The first round warms up.
        for _ in range(rounds + 1):
            figures = [(per_second(bluejay.wallet.get), per_second(bare)) for _ in range(slices)]
            for name, values in zip(found, zip(*figures)):
                found[name].append(mean(values))
    return {name: values[1:] for name, values in found.items()}


async def measure_async():
    found = {"ours": [], "floor": []}
    async with AsyncBluejay(key, url) as bluejay, httpx.AsyncClient() as http:

        async def bare():
            return (await http.get(PATH, headers=HEADERS, timeout=30.0)).raise_for_status().json()

        for _ in range(rounds + 1):
            figures = [
                (await per_second_async(bluejay.wallet.get), await per_second_async(bare)) for _ in range(slices)
            ]
            for name, values in zip(found, zip(*figures)):
                found[name].append(mean(values))
    return {name: values[1:] for name, values in found.items()}


print(json.dumps({"sync": measure_sync(), "async": asyncio.run(measure_async())}))

"""Follows the event stream by one of the clients. Prints when it is open, the letter of each event, and its end."""

import asyncio
import sys

import bluejay._async.transport
import bluejay._sync.transport
from bluejay import AsyncBluejay, Bluejay, BluejayError

client, key, url, after, silence_s = sys.argv[1:]
bluejay._sync.transport._SILENCE_S = bluejay._async.transport._SILENCE_S = float(silence_s)
# With a silence this short, a slow first answer would count as a lost connection and end the stream.
options = {"max_retries": 10 if float(silence_s) < 10 else 0, "timeout": 5.0}


def say(*words):
    print(*words, flush=True)


def show(event):
    say(event.event, event.data["mailJobId"])


async def follow():
    async with AsyncBluejay(key, url, **options) as api:
        async for event in api.events.stream(after or None, on_open=lambda: say("open")):
            show(event)


try:
    if client == "async":
        asyncio.run(follow())
    else:
        with Bluejay(key, url, **options) as api:
            for event in api.events.stream(after or None, on_open=lambda: say("open")):
                show(event)
except BluejayError as error:
    say(type(error).__name__)

"""The event log."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

from .._calls import Call
from .concurrency import sleep
from .lists import AsyncList
from .resource import AsyncResource

if TYPE_CHECKING:
    from .. import types

_RECONNECT_AFTER_S = 1.0


@dataclass(frozen=True)
class StreamedEvent:
    """A message of the event stream."""

    id: str
    event: str
    data: Any


class AsyncEvents(AsyncResource):
    """The event log."""

    def list(self, query: types.ListEventsParametersQuery | None = None) -> AsyncList[types.EventSummary]:
        """Lists events, newest first."""
        return AsyncList(self._transport, Call("listEvents", query=query))

    async def get(self, id: str) -> types.EventDetail:
        return await self._transport.send(Call("getEvent", (id,)))

    async def stream(self, after: str | None = None) -> AsyncIterator[StreamedEvent]:
        """
        Yields events as they happen, in the order of the log, from the one behind the id `after`. Reconnects where it
        was when the connection ends.
        """
        while True:
            try:
                async with self._transport.open(Call("streamEvents", query={"after": after})) as response:
                    fields: dict[str, str] = {}
                    async for line in response.aiter_lines():
                        name, _, value = line.partition(":")
                        if name != "":
                            fields[name] = value.strip()
                        elif "id" in fields and "data" in fields:
                            after = fields["id"]
                            yield StreamedEvent(after, fields.get("event", ""), json.loads(fields["data"]))
                            fields = {}
                        else:
                            fields = {}
            except httpx.TransportError:
                pass
            await sleep(_RECONNECT_AFTER_S)

"""The event log."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from .._calls import Call, delay_before_retry
from .._stream import StreamedEvent, StreamReader
from ..errors import BluejayError
from .concurrency import sleep
from .lists import AsyncList
from .resource import AsyncResource

if TYPE_CHECKING:
    from .. import types

_RECONNECT_AFTER_S = 1.0


class AsyncEvents(AsyncResource):
    """The event log."""

    def list(self, query: types.ListEventsParametersQuery | None = None) -> AsyncList[types.EventSummary]:
        """Lists events, newest first."""
        return AsyncList(self._transport, Call("listEvents", query=query))

    async def get(self, id: str) -> types.EventDetail:
        return await self._transport.send(Call("getEvent", (id,)))

    async def stream(
        self, after: str | None = None, *, on_open: Callable[[], None] | None = None
    ) -> AsyncIterator[StreamedEvent]:
        """
        Yields each event once, as it happens. With `after`, events from 10 s before that event come first, because some
        may have become visible after it. Once open, it reconnects where it was, however often the connection or the
        service fails; it raises an error when it cannot be opened at first, or is refused. `on_open` is called whenever
        it is open: the events from then on come.
        """
        reader = StreamReader(after)
        was_open = False
        failures = 0
        while True:
            reader.restart()
            delay = _RECONNECT_AFTER_S
            try:
                async with self._transport.open(Call("streamEvents", query={"after": reader.after})) as response:
                    was_open = True
                    if on_open is not None:
                        on_open()
                    async for line in response.aiter_lines():
                        failures = 0
                        event = reader.read(line)
                        if event is not None:
                            yield event
            except BluejayError as error:
                backoff = delay_before_retry(error, tries=failures, may_repeat=True)
                if backoff is None or (not was_open and failures >= self._transport.max_retries):
                    raise
                delay = backoff
                failures += 1
            await sleep(delay)

"""Lists of the API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from .._calls import Call
from .transport import AsyncTransport

Entry = TypeVar("Entry")


class AsyncList(Generic[Entry]):
    """
    A list of the API. Iterating yields all entries and requests pages as they are needed. Entries that are inserted
    meanwhile are newer and do not repeat or hide others.
    """

    def __init__(self, transport: AsyncTransport, call: Call) -> None:
        self._transport = transport
        self._call = call

    async def page(self) -> dict[str, Any]:
        """Returns one page with its `data` and `nextCursor`."""
        return await self._transport.send(self._call)

    async def __aiter__(self) -> AsyncIterator[Entry]:
        call = self._call
        while True:
            page: Mapping[str, Any] = await self._transport.send(call)
            for entry in page["data"]:
                yield entry
            cursor = page.get("nextCursor")
            if cursor is None:
                return
            call = replace(call, query={**(call.query or {}), "cursor": cursor})

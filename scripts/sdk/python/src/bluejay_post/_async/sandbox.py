"""What only test keys can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._calls import Call
from .lists import AsyncList
from .resource import AsyncResource

if TYPE_CHECKING:
    from .. import types


class AsyncSandbox(AsyncResource):
    """Clocks that test letters follow, and events on request."""

    async def trigger(self, body: types.TriggerRequest) -> types.TriggeredEvent:
        """Sends an event to the test webhooks."""
        return await self._transport.send(Call("triggerEvent", body=body))

    async def create_clock(self, body: types.SandboxClockRequest) -> types.SandboxClock:
        return await self._transport.send(Call("createSandboxClock", body=body))

    def clocks(self, query: types.ListSandboxClocksParametersQuery | None = None) -> AsyncList[types.SandboxClock]:
        return AsyncList(self._transport, Call("listSandboxClocks", query=query))

    async def clock(self, id: str) -> types.SandboxClock:
        return await self._transport.send(Call("getSandboxClock", (id,)))

    async def advance_clock(self, id: str, body: types.SandboxClockAdvanceRequest) -> types.SandboxClock:
        """Moves a clock forward, in the background: it is `advancing` until its letters have followed."""
        return await self._transport.send(Call("advanceSandboxClock", (id,), body=body))

    async def delete_clock(self, id: str) -> types.DeletedSandboxClock:
        return await self._transport.send(Call("deleteSandboxClock", (id,)))

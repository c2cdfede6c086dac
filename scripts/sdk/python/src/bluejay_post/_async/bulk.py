"""Lists of letters in CSV or XLSX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._calls import Call
from .lists import AsyncList
from .resource import AsyncResource

if TYPE_CHECKING:
    from .. import types


class AsyncBulk(AsyncResource):
    """Lists of letters in CSV or XLSX."""

    async def create_upload(self, body: types.BulkUploadRequest) -> types.Upload:
        return await self._transport.send(Call("createBulkUpload", body=body))

    async def create(self, body: types.BulkRequest) -> types.Bulk:
        """Starts to check an uploaded list. Nothing is sent before `confirm`."""
        return await self._transport.send(Call("createBulk", body=body))

    def list(self, query: types.ListBulksParametersQuery | None = None) -> AsyncList[types.Bulk]:
        return AsyncList(self._transport, Call("listBulks", query=query))

    async def get(self, id: str) -> types.Bulk:
        return await self._transport.send(Call("getBulk", (id,)))

    def rows(self, id: str, query: types.ListBulkRowsParametersQuery | None = None) -> AsyncList[types.BulkRow]:
        return AsyncList(self._transport, Call("listBulkRows", (id,), query=query))

    async def preview_row(
        self, id: str, row: int, query: types.PreviewBulkRowParametersQuery | None = None
    ) -> types.BulkRowPreview:
        """Shows the letter of a row before the list is paid."""
        return await self._transport.send(Call("previewBulkRow", (id, str(row)), query=query))

    async def map(self, id: str, body: types.BulkMappingRequest) -> types.Bulk:
        return await self._transport.send(Call("mapBulkColumns", (id,), body=body))

    async def confirm(self, id: str, body: types.BulkConfirmRequest | None = None) -> types.Bulk:
        """Sends the list."""
        return await self._transport.send(Call("confirmBulk", (id,), body=body or {}))

    async def pause(self, id: str) -> types.Bulk:
        return await self._transport.send(Call("pauseBulk", (id,)))

    async def resume(self, id: str, body: types.BulkResumeRequest | None = None) -> types.Bulk:
        return await self._transport.send(Call("resumeBulk", (id,), body=body or {}))

    async def cancel(self, id: str) -> types.Bulk:
        return await self._transport.send(Call("cancelBulk", (id,)))

    async def results(self, id: str) -> str:
        """Returns the result of each row as CSV."""
        return await self._transport.send(Call("getBulkResults", (id,)))

    async def faults(self, id: str) -> str:
        """Returns the rows with faults as CSV."""
        return await self._transport.send(Call("getBulkFaults", (id,)))

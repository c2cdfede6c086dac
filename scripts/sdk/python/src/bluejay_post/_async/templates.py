"""Letters with variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._calls import Call
from .lists import AsyncList
from .resource import AsyncResource

if TYPE_CHECKING:
    from .. import types


class AsyncTemplates(AsyncResource):
    """Letters with variables."""

    def list(self, query: types.ListTemplatesParametersQuery | None = None) -> AsyncList[types.TemplateSummary]:
        return AsyncList(self._transport, Call("listTemplates", query=query))

    async def create(self, body: types.TemplateRequest) -> types.Template:
        return await self._transport.send(Call("createTemplate", body=body))

    async def get(self, id: str, query: types.GetTemplateParametersQuery | None = None) -> types.Template:
        return await self._transport.send(Call("getTemplate", (id,), query=query))

    async def change(self, id: str, body: types.TemplatePatch) -> types.Template:
        """Adds a version."""
        return await self._transport.send(Call("changeTemplate", (id,), body=body))

    async def delete(self, id: str) -> types.DeleteTemplateResponse:
        return await self._transport.send(Call("deleteTemplate", (id,)))

    def versions(self, id: str) -> AsyncList[types.TemplateVersionSummary]:
        return AsyncList(self._transport, Call("listTemplateVersions", (id,)))

    async def letterhead(self) -> types.Letterhead:
        return await self._transport.send(Call("getLetterhead"))

    async def change_letterhead(self, body: types.LetterheadPatch) -> types.Letterhead:
        """Needs a live key. Lines that are absent stay."""
        return await self._transport.send(Call("changeLetterhead", body=body))

    async def preview(self, id: str, body: types.TemplatePreviewRequest) -> types.TemplatePreview:
        return await self._transport.send(Call("previewTemplate", (id,), body=body))


class AsyncAddresses(AsyncResource):
    """The address book."""

    def list(self, query: types.ListAddressesParametersQuery | None = None) -> AsyncList[types.Address]:
        return AsyncList(self._transport, Call("listAddresses", query=query))

    async def create(self, body: types.AddressRequest) -> types.Address:
        return await self._transport.send(Call("createAddress", body=body))

    async def get(self, id: str) -> types.Address:
        return await self._transport.send(Call("getAddress", (id,)))

    async def change(self, id: str, body: types.AddressPatch) -> types.Address:
        return await self._transport.send(Call("changeAddress", (id,), body=body))

    async def delete(self, id: str) -> types.DeleteAddressResponse:
        return await self._transport.send(Call("deleteAddress", (id,)))

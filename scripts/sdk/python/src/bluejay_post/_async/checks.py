"""Prices, files, checks, copies and the calendar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._calls import Call
from .._files import FileSource, read_source
from .lists import AsyncList
from .resource import AsyncResource
from .upload import upload_file

if TYPE_CHECKING:
    from .. import types


class AsyncQuotes(AsyncResource):
    """Prices."""

    async def create(self, body: types.QuoteRequest) -> types.Quote:
        """Returns the price of a letter. Nothing is debited."""
        return await self._transport.send(Call("createQuote", body=body))


class AsyncUploads(AsyncResource):
    """Files of letters. `mails.send_file` does all of this in one call."""

    async def create(self, body: types.UploadRequest) -> types.Upload:
        """Returns a URL that takes one file for ten minutes."""
        return await self._transport.send(Call("createUpload", body=body))

    async def file(self, source: FileSource, *, filename: str | None = None, mime_type: str | None = None) -> str:
        """Uploads a file of at most 20 MiB and returns its key for `mails.create`."""
        return await upload_file(self._transport, read_source(source, filename=filename, mime_type=mime_type))


class AsyncPreflights(AsyncResource):
    """Checks of files before sending."""

    async def create(self, body: types.PreflightRequest) -> types.Preflight:
        """Starts a check, which may still be `running` in the answer."""
        return await self._transport.send(Call("createPreflight", body=body))

    async def get(self, id: str) -> types.Preflight:
        return await self._transport.send(Call("getPreflight", (id,)))


class AsyncItems(AsyncResource):
    """Copies of letters: one per recipient."""

    def list(self, query: types.ListItemsParametersQuery | None = None) -> AsyncList[types.ReturnedItem]:
        """Lists copies that came back."""
        return AsyncList(self._transport, Call("listItems", query=query))


class AsyncCalendar(AsyncResource):
    """Days and cutoffs of the post."""

    async def get(self, query: types.GetCalendarParametersQuery | None = None) -> types.Calendar:
        return await self._transport.send(Call("getCalendar", query=query))

"""The client."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from types import TracebackType
from typing import TypeVar

import httpx

from .._calls import check_headers
from .bulk import AsyncBulk
from .checks import AsyncCalendar, AsyncItems, AsyncPreflights, AsyncQuotes, AsyncUploads
from .events import AsyncEvents
from .mails import AsyncMails
from .sandbox import AsyncSandbox
from .templates import AsyncAddresses, AsyncTemplates
from .transport import AsyncTransport, Credential
from .wallet import AsyncMe, AsyncReports, AsyncWallet
from .webhooks import AsyncWebhooks

Self = TypeVar("Self", bound="AsyncBluejay")


class AsyncBluejay:
    """
    A client of the Bluejay API. Its calls raise a `BluejayError` when they fail. Close it, or use it in a `with` block.

    `api_key` is an API key (`bjk_…`), an access token, or a function that returns the current access token. `base_url`
    is the URL of the API. `timeout` in seconds bounds connecting, each read, and the time until an answer is complete.
    `max_retries` says how often a failed request is sent again where that is safe. Raises a
    ValueError for a missing key or an invalid URL.
    """

    def __init__(
        self,
        api_key: Credential,
        base_url: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 2,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        if not api_key:
            raise ValueError("Give an api_key: create one at /account/api-keys of your installation.")
        if httpx.URL(base_url).scheme not in ("http", "https"):
            raise ValueError("Give the base_url of the API, for instance https://api.example.com.")
        self._owns_http = http_client is None
        self._http = http_client or httpx.AsyncClient()
        self._use(AsyncTransport(self._http, api_key, base_url.rstrip("/"), max_retries, timeout))

    def _use(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.me = AsyncMe(transport)
        self.quotes = AsyncQuotes(transport)
        self.uploads = AsyncUploads(transport)
        self.preflights = AsyncPreflights(transport)
        self.mails = AsyncMails(transport)
        self.bulk = AsyncBulk(transport)
        self.items = AsyncItems(transport)
        self.templates = AsyncTemplates(transport)
        self.calendar = AsyncCalendar(transport)
        self.addresses = AsyncAddresses(transport)
        self.webhooks = AsyncWebhooks(transport)
        self.events = AsyncEvents(transport)
        self.wallet = AsyncWallet(transport)
        self.reports = AsyncReports(transport)
        self.sandbox = AsyncSandbox(transport)

    def with_headers(self: Self, headers: Mapping[str, str]) -> Self:
        """
        Returns a client that also sends these headers, such as `Bluejay-Sandbox`, on the connections of this one. Raises a
        ValueError for a header that the client sets itself.
        """
        check_headers(headers)
        other = copy(self)
        other._owns_http = False
        other._use(replace(self._transport, headers={**self._transport.headers, **headers}))
        return other

    async def aclose(self) -> None:
        """Closes the connections, unless they belong to a given `http_client`."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

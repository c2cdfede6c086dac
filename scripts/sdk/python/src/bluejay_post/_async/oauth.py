"""OAuth 2.0 with PKCE, for applications that act for several customers."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import httpx

from .._authorization import AuthorizationRequest, SavedTokens, authorization_request, code_of, saved_tokens
from ..errors import BluejayError, ConnectionFailedError, connection_error, read_oauth_answer
from .concurrency import Lock, sleep

if TYPE_CHECKING:
    from .. import types

_MAX_TRIES = 3
_RETRY_AFTER_S = 0.5


class AsyncBluejayOAuth:
    """
    The OAuth routes for one application. Raises an `OAuthError`. `base_url` is the URL of the API, which is also the
    issuer; `auth_url` that of the web host, where users consent. `redirect_uri` is compared character by character.
    """

    def __init__(
        self,
        *,
        client_id: str,
        client_secret: str,
        redirect_uri: str,
        base_url: str,
        auth_url: str,
        timeout: float = 30.0,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._client = {"client_id": client_id, "client_secret": client_secret}
        self._redirect_uri = redirect_uri
        self._base_url = base_url.rstrip("/")
        self._auth_url = auth_url.rstrip("/")
        self._timeout = timeout
        self._http = http_client or httpx.AsyncClient()

    def authorization_url(self, scopes: Sequence[str]) -> AuthorizationRequest:
        """Returns the URL to send a user to. Keep the whole request in their session until they come back."""
        return authorization_request(self._auth_url, self._client["client_id"], self._redirect_uri, scopes)

    async def exchange_callback(self, callback_url: str, request: AuthorizationRequest) -> types.TokenAnswer:
        """
        Exchanges the code of the URL that the user came back to. Raises an `OAuthError` with the code `invalid_state`
        when the URL does not belong to this request, and with the code of the URL when the user has refused.
        """
        return await self.exchange_code(code_of(callback_url, request, self._base_url), request.code_verifier)

    async def exchange_code(self, code: str, code_verifier: str) -> types.TokenAnswer:
        """Exchanges a code, which works once within 60 s."""
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": self._redirect_uri}
        # A code that is used twice ends the consent of the user, so its request is never repeated.
        return await self._post("/oauth/token", {**form, "code_verifier": code_verifier}, tries=1)

    async def refresh(self, refresh_token: str) -> types.TokenAnswer:
        """Spends a refresh token. A repeat within 30 s, after a lost answer, returns the same tokens."""
        return await self._post("/oauth/token", {"grant_type": "refresh_token", "refresh_token": refresh_token})

    async def revoke(self, token: str) -> None:
        """Ends the access that a token belongs to."""
        await self._post("/oauth/revoke", {"token": token})

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def _post(self, path: str, form: dict[str, str], *, tries: int = _MAX_TRIES) -> Any:
        while True:
            tries -= 1
            try:
                try:
                    url, data = self._base_url + path, {**form, **self._client}
                    response = await self._http.post(url, data=data, timeout=self._timeout)
                except httpx.HTTPError as error:
                    raise connection_error(error) from error
                return read_oauth_answer(response)
            except BluejayError as error:
                is_temporary = isinstance(error, ConnectionFailedError) or error.status == 503
                if not is_temporary or tries <= 0:
                    raise
            await sleep(random.random() * _RETRY_AFTER_S)


class AsyncTokenSource:
    """
    Keeps the tokens of one user fresh: `AsyncBluejay(source.access_token, base_url)`. `on_tokens` stores new tokens
    before they are used; a lost refresh token cannot be replaced. Keep one source per user.
    """

    def __init__(
        self, oauth: AsyncBluejayOAuth, tokens: SavedTokens, on_tokens: Callable[[SavedTokens], Awaitable[None]]
    ) -> None:
        self._oauth = oauth
        self._tokens = tokens
        self._on_tokens = on_tokens
        self._lock = Lock()

    async def access_token(self) -> str:
        """Returns a valid access token. It is refreshed once for all callers, one minute before it ends."""
        if self._tokens.is_fresh():
            return self._tokens.access_token
        async with self._lock:
            if not self._tokens.is_fresh():
                self._tokens = saved_tokens(await self._oauth.refresh(self._tokens.refresh_token))
                await self._on_tokens(self._tokens)
        return self._tokens.access_token

"""Authorization requests (PKCE) and stored tokens."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from .errors import OAuthError

# An access token is replaced this long before its end, so that no request arrives with an expired one.
_MARGIN_S = 60.0


@dataclass(frozen=True)
class AuthorizationRequest:
    """Where to send a user, and what to compare when they come back."""

    url: str
    state: str
    code_verifier: str


@dataclass(frozen=True)
class SavedTokens:
    """What to store of a user's tokens. `expires_at` is in seconds since 1970."""

    access_token: str
    refresh_token: str
    expires_at: float

    def is_fresh(self) -> bool:
        return time.time() < self.expires_at - _MARGIN_S


def saved_tokens(answer: Mapping[str, Any]) -> SavedTokens:
    """Returns what to store of an answer of the token route."""
    return SavedTokens(answer["access_token"], answer["refresh_token"], time.time() + answer["expires_in"])


def authorization_request(
    auth_url: str, client_id: str, redirect_uri: str, scopes: Sequence[str]
) -> AuthorizationRequest:
    """Creates an authorization request with a new state and verifier."""
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    digest = hashlib.sha256(verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "scope": " ".join(scopes),
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": "S256",
    }
    return AuthorizationRequest(f"{auth_url}/oauth/authorize?{urlencode(query)}", state, verifier)


def code_of(callback_url: str, request: AuthorizationRequest, issuer: str) -> str:
    """Returns the code of a callback. Raises an `OAuthError` when it is foreign or a refusal."""
    query = {name: values[0] for name, values in parse_qs(urlsplit(callback_url).query).items()}
    is_foreign = "iss" in query and query["iss"].rstrip("/") != issuer
    if is_foreign or not hmac.compare_digest(query.get("state", "").encode(), request.state.encode()):
        raise OAuthError("The URL does not belong to this request.", code="invalid_state")
    if "error" in query:
        raise OAuthError(query.get("error_description", query["error"]), code=query["error"])
    return query.get("code", "")

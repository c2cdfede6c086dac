"""Calls every method of both clients, and prints the requests that they made."""

import asyncio
import inspect
import json

import httpx

from bluejay import AsyncBluejay, AsyncBluejayOAuth, Bluejay, BluejayOAuth

# Methods that make requests of other operations, or none.
COMPOSED = {"send_file", "file", "authorization_url", "exchange_callback", "aclose", "close"}
URL = "https://api.example.com"
APPLICATION = {"client_id": "bjc_1", "client_secret": "s", "redirect_uri": URL, "base_url": URL, "auth_url": URL}
asked: list[str] = []


def answer(request: httpx.Request) -> httpx.Response:
    asked.append(f"{request.method} {request.url.path}")
    status = 404 if request.url.path.endswith("/stream") else 200
    return httpx.Response(status, json={"data": []})


def methods(target):
    found = inspect.getmembers(target, callable)
    return [(name, method) for name, method in found if not name.startswith("_") and name not in COMPOSED]


def arguments(method):
    """Texts for ids, and a mapping for bodies."""
    given = {"body": {}, "letter": {}, "query": None, "after": None, "idempotency_key": None}
    return {name: given.get(name, "a") for name in inspect.signature(method).parameters}


def call_all(client, oauth):
    for target in [*vars(client).values(), oauth]:
        if not type(target).__module__.startswith("bluejay"):
            continue
        for name, method in methods(target):
            before = len(asked)
            result = method(**arguments(method))
            try:
                if inspect.isgenerator(result):
                    next(result)
                elif hasattr(result, "__iter__") and not isinstance(result, (dict, str)):
                    list(result)
            except Exception:
                assert name == "stream", name
            assert len(asked) == before + 1, name


async def call_all_async(client, oauth):
    for target in [*vars(client).values(), oauth]:
        if not type(target).__module__.startswith("bluejay"):
            continue
        for name, method in methods(target):
            before = len(asked)
            result = method(**arguments(method))
            try:
                if inspect.isawaitable(result):
                    await result
                else:
                    async for _ in result:
                        pass
            except Exception:
                assert name == "stream", name
            assert len(asked) == before + 1, name


http = httpx.Client(transport=httpx.MockTransport(answer))
call_all(Bluejay("bjk_1", URL, http_client=http), BluejayOAuth(http_client=http, **APPLICATION))
by_sync, asked = asked, []
http_async = httpx.AsyncClient(transport=httpx.MockTransport(answer))
client = AsyncBluejay("bjk_1", URL, http_client=http_async)
asyncio.run(call_all_async(client, AsyncBluejayOAuth(http_client=http_async, **APPLICATION)))
print(json.dumps({"sync": by_sync, "async": asked}))

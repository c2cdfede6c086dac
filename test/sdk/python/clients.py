"""The two clients by one interface: that of the synchronous one."""

import asyncio
import inspect
import threading
from types import SimpleNamespace

import bluejay_post

loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()


class Blocking:
    """An object of the asynchronous client. Its calls block, and each is a task of the one event loop."""

    def __init__(self, target):
        self.target = target

    def __getattr__(self, name):
        return blocking(getattr(self.target, name))

    def __call__(self, *args, **named):
        result = self.target(*args, **named)
        return blocking(wait_for(result) if inspect.isawaitable(result) else result)

    def __iter__(self):
        iterator, end = aiter(self.target), object()
        while (entry := wait_for(anext(iterator, end))) is not end:
            yield entry

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        wait_for(self.target.aclose())


def blocking(value):
    is_ours = (type(value).__module__ or "").startswith("bluejay_post._async")
    return Blocking(value) if is_ours or inspect.ismethod(value) or inspect.isasyncgen(value) else value


def wait_for(awaitable):
    async def wait():
        return await awaitable

    return asyncio.run_coroutine_threadsafe(wait(), loop).result()


def create_async(key, *args, **named):
    return Blocking(bluejay_post.AsyncBluejay(getattr(key, "target", key), *args, **named))


def create_async_tokens(oauth, saved, store):
    async def store_async(tokens):
        store(tokens)

    return Blocking(bluejay_post.AsyncTokenSource(oauth.target, saved, store_async))


CLIENTS = {
    "sync": SimpleNamespace(
        Bluejay=bluejay_post.Bluejay, BluejayOAuth=bluejay_post.BluejayOAuth, TokenSource=bluejay_post.TokenSource
    ),
    "async": SimpleNamespace(
        Bluejay=create_async,
        BluejayOAuth=lambda **given: Blocking(bluejay_post.AsyncBluejayOAuth(**given)),
        TokenSource=create_async_tokens,
    ),
}


def of(kind):
    """Returns the classes of a client."""
    return SimpleNamespace(kind=kind, **vars(CLIENTS[kind]))

"""Waiting and locks of the asynchronous client."""

from asyncio import Lock, sleep

__all__ = ["Lock", "sleep"]

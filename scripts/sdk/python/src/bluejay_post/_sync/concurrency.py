"""Waiting and locks of the synchronous client. The one file here that is not generated."""

from threading import Lock
from time import sleep

__all__ = ["Lock", "sleep"]

"""Messages of the event stream."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ._time_fields import EVENTS
from ._times import read_times

if TYPE_CHECKING:
    from .webhooks import WebhookEvent

# How many ids are remembered to drop repeats.
_MAX_SEEN = 20_000


@dataclass(frozen=True)
class StreamedEvent:
    """An event of the stream. `data` is the body that webhooks receive, with its times as `datetime`."""

    id: str
    event: str
    data: WebhookEvent


class StreamReader:
    """
    Parses the lines of a stream, and keeps the place in it. A stream that is resumed starts 10 s before its last event,
    because events may become visible after later ones, so repeats are dropped by their ids.
    """

    def __init__(self, after: str | None) -> None:
        self.after = after
        """The id to resume after: of the newest event, or of the position with which the stream began."""
        self._seen = {} if after is None else {after: None}
        self._fields: dict[str, str] = {}

    def restart(self) -> None:
        """Forgets a message that a broken connection has left incomplete."""
        self._fields = {}

    def read(self, line: str) -> StreamedEvent | None:
        """Returns the event that this line completes, unless it has been returned before."""
        if line != "":
            name, _, value = line.partition(":")
            self._fields[name] = value.strip()
            return None
        fields, self._fields = self._fields, {}
        id = fields.get("id", "")
        if id == "" or id in self._seen:
            return None
        self.after = id
        if "data" not in fields:
            return None
        self._seen[id] = None
        if len(self._seen) > _MAX_SEEN:
            # A dict keeps its order, so the first id is the oldest.
            del self._seen[next(iter(self._seen))]
        event = cast("WebhookEvent", read_times(json.loads(fields["data"]), EVENTS))
        return StreamedEvent(id, fields.get("event", ""), event)

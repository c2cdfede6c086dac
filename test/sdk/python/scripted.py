"""Commands with scripted answers: what is asked, waited for and raised."""

import hmac
import inspect
import json
import threading
import time
from datetime import datetime
from unittest.mock import patch

import httpx
from bluejay_post import verify_webhook

COMMANDS = ["operations", "call", "options", "times", "stream", "timeouts"]
URL = "https://api.example.com"
APPLICATION = {"client_id": "bjc_1", "client_secret": "s", "redirect_uri": URL, "base_url": URL, "auth_url": URL}
# Methods that make requests of other operations, or none.
COMPOSED = {"send_file", "file", "authorization_url", "exchange_callback", "aclose", "close"}
# Named as in TypeScript, where they hide nothing built in.
CLASSES = {"ConnectionFailedError": "ConnectionError", "PermissionDeniedError": "PermissionError"}
LETTER = {"zone": "NATIONAL", "serviceType": "standard", "recipients": [], "templateId": "tpl_1"}
CALLS = {
    "read": lambda bluejay: bluejay.wallet.get(),
    "quote": lambda bluejay: bluejay.quotes.create({}),
    "letter": lambda bluejay: bluejay.mails.create(LETTER),
    "letter with externalId": lambda bluejay: bluejay.mails.create({**LETTER, "externalId": "order-1"}),
    "letter with key": lambda bluejay: bluejay.mails.create(LETTER, idempotency_key="mine"),
    "unsafe POST": lambda bluejay: bluejay.mails.simulate("mj_1"),
    "deletion": lambda bluejay: bluejay.addresses.delete("adr_1"),
}


def describe(error):
    name = type(error).__name__
    told = {"code": error.code, "status": error.status, "retryAfterS": error.retry_after, "message": error.message}
    return {"class": CLASSES.get(name, name), **told, "issues": list(error.issues), "requestId": error.request_id}


def http_of(client, answer):
    """Returns an HTTP client with these answers."""
    kind = httpx.AsyncClient if client.kind == "async" else httpx.Client
    return kind(transport=httpx.MockTransport(answer))


def operations(client, _given, _emit):
    """Calls every method, and returns the requests."""
    asked = []

    def answer(request):
        asked.append(f"{request.method} {request.url.path}")
        return httpx.Response(404 if request.url.path.endswith("/stream") else 200, json={"data": []})

    http = http_of(client, answer)
    bluejay = client.Bluejay("bjk_1", URL, http_client=http)
    oauth = client.BluejayOAuth(http_client=http, **APPLICATION)
    ours = getattr(bluejay, "target", bluejay)
    resources = [name for name, each in vars(ours).items() if type(each).__module__.startswith("bluejay_post")]
    # Texts for ids, and a mapping for bodies.
    given = {"body": {}, "letter": {}, "query": None, "after": None, "idempotency_key": None, "on_open": None}
    for target in [*(getattr(bluejay, name) for name in resources if not name.startswith("_")), oauth]:
        for name, method in inspect.getmembers(getattr(target, "target", target), callable):
            if name.startswith("_") or name in COMPOSED:
                continue
            before = len(asked)
            arguments = {each: given.get(each, "a") for each in inspect.signature(method).parameters}
            result = getattr(target, name)(**arguments)
            try:
                if hasattr(result, "__iter__") and not isinstance(result, (dict, str)):
                    list(result)
            except Exception:
                assert name == "stream", name
            assert len(asked) == before + 1, name
    return asked


def waits(client, waited):
    """Makes the SDK wait for nothing."""

    async def wait(seconds):
        waited.append(seconds)

    sleep = wait if client.kind == "async" else waited.append
    return (patch(f"bluejay_post._{client.kind}.{module}.sleep", sleep) for module in ("transport", "events"))


def call(client, given, _emit):
    """Makes a call that gets these replies in turn, then success."""
    asked, waited, rest = [], [], list(given["replies"])

    def answer(request):
        asked.append(request.headers.get("idempotency-key"))
        reply = rest.pop(0) if rest else {"status": 200}
        if reply == "broken":
            raise httpx.ReadError("reset", request=request)
        if reply == "late":
            raise httpx.ReadTimeout("late", request=request)
        body = {"code": reply.get("code", "X"), "message": "No.", "issues": reply.get("issues", [])}
        return httpx.Response(reply["status"], headers=reply.get("headers"), json=body)

    bluejay = client.Bluejay("bjk_1", URL, http_client=http_of(client, answer), max_retries=given["maxRetries"])
    raised = result = None
    in_transport, in_events = waits(client, waited)
    with in_transport, in_events:
        try:
            result = CALLS[given["call"]](bluejay)
        except Exception as error:
            raised = describe(error)
    return {"asked": asked, "waited": waited, "raised": raised, "result": result}


def options(client, given, _emit):
    """Sends a time, a header and headers that are refused. Returns the requests and the errors."""
    asked = []

    def answer(request):
        body = json.loads(request.content or b"{}")
        at = request.url.params.get("createdAfter") or body.get("scheduledDropAt")
        asked.append([request.headers.get("bluejay-sandbox"), request.headers["authorization"], at])
        return httpx.Response(200, json={"data": []})

    def error_of(act):
        try:
            act()
        except ValueError as error:
            return str(error)

    bluejay = client.Bluejay("bjk_1", URL, http_client=http_of(client, answer))
    at = datetime.fromisoformat(given["at"])
    bluejay.with_headers({"Bluejay-Sandbox": "rate-limited"}).mails.list({"createdAfter": at}).page()
    bluejay.mails.create({**LETTER, "scheduledDropAt": at})
    errors = [error_of(lambda: bluejay.with_headers({name: "mine"})) for name in given["refused"]]
    naive = {"createdAfter": at.replace(tzinfo=None), "scheduledDropAt": at.replace(tzinfo=None)}
    calls = (lambda: bluejay.mails.list(naive).page(), lambda: bluejay.mails.create({**LETTER, **naive}))
    return {"asked": asked, "errors": errors, "naive": [error_of(each) for each in calls]}


def times(client, given, _emit):
    """Gives answers with times. Returns what they are read as, from a call, a list, a page, the stream and a webhook."""

    def answer(request):
        if request.url.path == "/v1/events/stream":
            return httpx.Response(200, text=f"id: evt_1\ndata: {json.dumps(given['event'])}\n\n")
        is_list = request.url.path == "/v1/mails"
        return httpx.Response(200, json={"data": [given["letter"]], "nextCursor": None} if is_list else given["letter"])

    bluejay = client.Bluejay("bjk_1", URL, http_client=http_of(client, answer))
    body, at = json.dumps(given["event"]), str(int(time.time()))
    signature = hmac.new(b"s", f"{at}.{body}".encode(), "sha256").hexdigest()
    return {
        "letters": [bluejay.mails.get("mj_1"), *bluejay.mails.list(), *bluejay.mails.list().page()["data"]],
        "events": [next(iter(bluejay.events.stream())).data, verify_webhook(body, f"t={at},v1={signature}", "s")],
    }


def stream(client, given, _emit):
    """Follows a stream of these replies. Returns the ids of its events, the positions asked for, and how it ended."""
    asked, ids, rest = [], [], list(given["replies"])

    class Bytes(httpx.SyncByteStream, httpx.AsyncByteStream):
        def __init__(self, content):
            self.content = content

        def __iter__(self):
            return (self.content[at : at + 1] for at in range(len(self.content)))

        async def __aiter__(self):
            for byte in self:
                yield byte

    def answer(request):
        asked.append(request.url.params.get("after"))
        reply = rest.pop(0)
        return httpx.Response(reply["status"], headers=reply.get("headers"), stream=Bytes(reply["text"].encode()))

    bluejay = client.Bluejay("bjk_1", URL, http_client=http_of(client, answer), max_retries=0)
    in_transport, in_events = waits(client, [])
    with in_transport, in_events:
        try:
            for event in bluejay.events.stream():
                ids.append(event.id)
        except Exception as error:
            return {"ids": ids, "asked": asked, "status": error.status}


def timeouts(client, _given, _emit):
    """Calls servers that are too slow, and returns the errors and how long they took in seconds."""
    from bluejay_post import ConnectionFailedError
    from slow_servers import open_slow_servers

    limit, ended = 0.3, threading.Event()
    found = {}
    for name, url in open_slow_servers(ended, limit).items():
        started = time.monotonic()
        with client.Bluejay("bjk_1", url, timeout=limit, max_retries=0) as bluejay:
            try:
                bluejay.wallet.get()
            except ConnectionFailedError as error:
                took = time.monotonic() - started
                found[name] = {"code": error.code, "cause": type(error.__cause__).__name__, "took": took}
    ended.set()
    return found

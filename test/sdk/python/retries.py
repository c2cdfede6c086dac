"""Runs calls of both clients with scripted answers, and prints what was asked, waited for and raised."""

import asyncio
import json
import sys
import time

import httpx

# Replaced before the import of the SDK, which then waits for nothing.
waited: list[float] = []
time.sleep = waited.append


async def wait(seconds):
    waited.append(seconds)


asyncio.sleep = wait

from bluejay import AsyncBluejay, Bluejay, BluejayError  # noqa: E402

given = json.loads(sys.argv[1])
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


def answers(replies):
    """Returns a handler that gives these replies in turn, then success, and the list of the keys it was asked with."""
    asked, rest = [], list(replies)

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("idempotency-key"))
        reply = rest.pop(0) if rest else {"status": 200}
        if reply == "broken":
            raise httpx.ReadError("reset", request=request)
        if reply == "late":
            raise httpx.ReadTimeout("late", request=request)
        body = {"code": reply.get("code", "X"), "message": "No."}
        return httpx.Response(reply["status"], headers=reply.get("headers"), json=body)

    return answer, asked


def describe(error):
    return {"class": type(error).__name__, "code": error.code, "status": error.status, "retryAfter": error.retry_after}


def run_sync(case):
    answer, asked = answers(case["replies"])
    http = httpx.Client(transport=httpx.MockTransport(answer))
    try:
        CALLS[case["call"]](Bluejay("bjk_1", "https://api.example.com", http_client=http))
    except BluejayError as error:
        return asked, describe(error)
    return asked, None


async def run_async(case):
    answer, asked = answers(case["replies"])
    http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    try:
        await CALLS[case["call"]](AsyncBluejay("bjk_1", "https://api.example.com", http_client=http))
    except BluejayError as error:
        return asked, describe(error)
    return asked, None


def outcome(case, run):
    waited.clear()
    asked, raised = run(case)
    return {"asked": asked, "waited": list(waited), "raised": raised}


print(
    json.dumps(
        {
            "sync": [outcome(case, run_sync) for case in given["cases"]],
            "async": [outcome(case, lambda each: asyncio.run(run_async(each))) for case in given["cases"]],
        }
    )
)

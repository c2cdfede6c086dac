"""Sends a letter through its whole life, reads lists while letters are sent, and prints what it saw."""

import asyncio
import io
import json
import sys

from bluejay import AsyncBluejay, Bluejay, ConflictError, InvalidRequestError, NotFoundError

given = json.loads(sys.argv[1])
ADA = {"name": "Ada Peeters", "line1": "Rue Haute 1", "zip": "1000", "city": "Bruxelles", "country": "BE"}
seen = {}

with Bluejay(given["key"], given["url"]) as bluejay:
    webhook = bluejay.webhooks.create({"url": given["receiver"], "events": ["MAIL_QUEUED", "MAIL_DELIVERED"]})
    seen["secret"] = webhook["secret"]
    quote = bluejay.quotes.create({"zone": "NATIONAL", "serviceType": "registered", "pages": 1})
    sent = bluejay.mails.send_file(given["file"], {"recipients": [ADA], "serviceType": "registered"})
    seen["id"], seen["pages"], seen["costs"] = sent["mailJobId"], sent["pages"], sent["totalCents"] == quote["totalCents"]
    bluejay.mails.simulate(sent["mailJobId"], {"to": "delivered"})
    seen["status"] = bluejay.mails.get(sent["mailJobId"])["status"]
    for name, call in {
        "conflict": lambda: bluejay.mails.cancel(sent["mailJobId"]),
        "missing": lambda: bluejay.mails.get("mj_01m7ynaxr5fqa9hh2hay4xy8yc"),
        "invalid": lambda: bluejay.quotes.create({"zone": "MOON", "serviceType": "standard", "pages": 0}),
    }.items():
        try:
            call()
        except (ConflictError, NotFoundError, InvalidRequestError) as error:
            seen[name] = [type(error).__name__, error.code, error.status, len(error.issues)]
    content = open(given["file"], "rb").read()
    files = [content, io.BytesIO(content), open(given["file"], "rb")]
    names = [bluejay.mails.send_file(file, {"recipients": [ADA], "pages": 1})["files"][0]["filename"] for file in files]
    seen["filenames"] = names
    s3_key = bluejay.uploads.file(content)


async def read_while_sending():
    letter = {"zone": "NATIONAL", "serviceType": "standard", "pages": 1, "recipients": [ADA], "files": [{"s3Key": s3_key}]}
    async with AsyncBluejay(given["key"], given["url"]) as client:
        for n in range(5):
            await client.mails.create({**letter, "externalId": f"first {n}"})
        listed = []
        async for mail in client.mails.list({"limit": 2}):
            if mail["externalId"] is not None:
                listed.append(mail["externalId"])
                await client.mails.create({**letter, "externalId": f"later {len(listed)}"})
        return listed


seen["listed"] = asyncio.run(read_while_sending())
print(json.dumps(seen))

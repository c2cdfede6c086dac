"""Sends letters through a proxy that loses answers, by the asynchronous and the synchronous client."""

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor

from bluejay import AsyncBluejay, Bluejay

given = json.loads(sys.argv[1])
ADA = {"name": "Ada Peeters", "line1": "Rue Haute 1", "zip": "1000", "city": "Bruxelles", "country": "BE"}
IN_FLIGHT = 4
options = {"max_retries": 10}
with Bluejay(given["key"], given["url"], **options) as bluejay:
    s3_key = bluejay.uploads.file(open(given["file"], "rb"))


def letter(n):
    basis = {"zone": "NATIONAL", "serviceType": "standard", "pages": 1, "recipients": [ADA], "files": [{"s3Key": s3_key}]}
    return {**basis, "externalId": f"order-{n}"} if n % 2 == 0 else basis


async def send_async(numbers):
    async with AsyncBluejay(given["key"], given["url"], **options) as client:

        async def work():
            return [(await client.mails.create(letter(n)))["mailJobId"] for n in numbers]

        return sum(await asyncio.gather(*(work() for _ in range(IN_FLIGHT))), [])


half = given["sends"] // 2
ids = asyncio.run(send_async(iter(range(half))))
with Bluejay(given["key"], given["url"], **options) as bluejay, ThreadPoolExecutor(IN_FLIGHT) as pool:
    ids += pool.map(lambda n: bluejay.mails.create(letter(n))["mailJobId"], range(half, given["sends"]))
print(json.dumps(ids))

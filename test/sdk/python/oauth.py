"""Uses the OAuth helper: a callback, and tokens that many callers refresh at once."""

import asyncio
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from bluejay import AsyncBluejay, AsyncBluejayOAuth, AsyncTokenSource, Bluejay, BluejayOAuth, OAuthError, SavedTokens, TokenSource

given = json.loads(sys.argv[1])
oauth = BluejayOAuth(**given["application"])
request = oauth.authorization_url(["read", "wallet"])
try:
    oauth.exchange_callback("https://a.example/?state=another&code=c", request)
except OAuthError as error:
    refused = error.code

stored = []
source = TokenSource(oauth, SavedTokens("bja_old", given["refresh_tokens"][0], time.time()), stored.append)
with Bluejay(source.access_token, given["application"]["base_url"]) as bluejay, ThreadPoolExecutor(10) as pool:
    modes = list(pool.map(lambda _: bluejay.wallet.get()["mode"], range(20)))


async def refresh_together():
    async def store(tokens):
        stored.append(tokens)

    helper = AsyncBluejayOAuth(**given["application"])
    tokens = AsyncTokenSource(helper, SavedTokens("bja_old", given["refresh_tokens"][1], time.time()), store)
    async with AsyncBluejay(tokens.access_token, given["application"]["base_url"]) as client:
        wallets = await asyncio.gather(*(client.wallet.get() for _ in range(20)))
    await helper.aclose()
    return [wallet["mode"] for wallet in wallets]


modes += asyncio.run(refresh_together())
print(json.dumps({"url": request.url, "refused": refused, "modes": modes, "stored": len(stored)}))

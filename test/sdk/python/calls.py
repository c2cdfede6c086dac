"""Commands that call the service by one of the clients."""

import io
import re
import time
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

from bluejay_post import BluejayError, OAuthError, SavedTokens, WebhookVerificationError, verify_webhook
from scripted import describe

COMMANDS = ["journey", "send_file_again", "list_while_sending", "send_many", "judge", "authorize", "refresh_together", "follow"]
ADA = {"name": "Ada Peeters", "line1": "Rue Haute 1", "zip": "1000", "city": "Bruxelles", "country": "BE"}
LETTER = {"zone": "NATIONAL", "serviceType": "standard", "pages": 1, "recipients": [ADA]}


def read(file):
    with open(file, "rb") as opened:
        return opened.read()


def journey(client, given, _emit):
    """Sends a letter through its whole life."""
    with client.Bluejay(given["key"], given["url"]) as bluejay:
        webhook = bluejay.webhooks.create({"url": given["receiver"], "events": ["MAIL_QUEUED", "MAIL_DELIVERED"]})
        quote = bluejay.quotes.create({"zone": "NATIONAL", "serviceType": "registered", "pages": 1})
        sent = bluejay.mails.send_file(given["file"], {"recipients": [ADA], "serviceType": "registered"})
        id = sent["mailJobId"]
        bluejay.mails.simulate(id, {"to": "delivered"})
        refused = []
        for call in [
            lambda: bluejay.mails.cancel(id),
            lambda: bluejay.mails.get("mj_01m7ynaxr5fqa9hh2hay4xy8yc"),
            lambda: bluejay.quotes.create({"zone": "MOON", "serviceType": "standard", "pages": 0}),
        ]:
            try:
                call()
            except BluejayError as error:
                refused.append(describe(error))
        content = read(given["file"])
        files = [content, io.BytesIO(content), open(given["file"], "rb")]
        names = [bluejay.mails.send_file(file, {"recipients": [ADA], "pages": 1})["files"][0]["filename"] for file in files]
        return {
            **{"id": id, "secret": webhook["secret"], "refused": refused, "filenames": names},
            **{"sent": sent, "quote": quote, "status": bluejay.mails.get(id)["status"]},
            "events": len(bluejay.mails.timeline(id)["data"]),
            "texts": find_times([sent, quote, bluejay.mails.get(id), webhook, *bluejay.events.list()]),
        }


def find_times(answer):
    """Returns the times of an answer that are still texts."""
    if isinstance(answer, (dict, list)):
        values = answer.values() if isinstance(answer, dict) else answer
        return [time for value in values for time in find_times(value)]
    return [answer] if isinstance(answer, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT.*", answer) else []


def send_file_again(client, given, _emit):
    """Sends a file, the same file, and another one, with one externalId. Returns whether each was a match."""
    with client.Bluejay(given["key"], given["url"]) as bluejay:
        content = read(given["file"])
        letter = {"recipients": [ADA], "pages": 1, "externalId": "again", "dryRun": given.get("dryRun", False)}
        sent = [bluejay.mails.send_file(each, letter) for each in [content, content, content + b"\n"]]
        return [[one["duplicate"], one["payloadMatches"]] for one in sent]


def list_while_sending(client, given, _emit):
    with client.Bluejay(given["key"], given["url"]) as bluejay:
        files = [{"s3Key": bluejay.uploads.file(read(given["file"]))}]

        def send(external_id):
            bluejay.mails.create({**LETTER, "files": files, "externalId": external_id})

        for n in range(5):
            send(f"first {n}")
        listed = []
        for mail in bluejay.mails.list({"limit": 2}):
            listed.append(mail["externalId"])
            send(f"later {len(listed)}")
        return listed


def send_many(client, given, _emit):
    """Sends letters, some at a time. Every second one has an externalId, and some are sent with their file."""
    with client.Bluejay(given["key"], given["url"], max_retries=10) as bluejay, ThreadPoolExecutor(4) as pool:
        files = [{"s3Key": bluejay.uploads.file(read(given["file"]))}]

        def send(n):
            if n % 10 == 0:
                return bluejay.mails.send_file(given["file"], {"recipients": [ADA], "pages": 1})["mailJobId"]
            own = {"externalId": f"order-{n}"} if n % 2 == 0 else {}
            return bluejay.mails.create({**LETTER, "files": files, **own})["mailJobId"]

        return list(pool.map(send, range(given["sends"])))


def judge(_client, given, _emit):
    """Returns which deliveries are genuine. Those that must be accepted are judged at the given time."""
    judged = {}
    for vector in given["vectors"]:
        try:
            headers = {"X-Service-Signature": vector["header"]}
            now = given["now"] if vector["accepted"] else None
            verify_webhook(vector["body"].encode(), headers, given["secret"], now=now)
            judged[vector["title"]] = True
        except WebhookVerificationError:
            judged[vector["title"]] = False
    return judged


def oauth_of(client, given):
    names = {"clientId": "client_id", "clientSecret": "client_secret", "redirectUri": "redirect_uri"}
    urls = {"baseUrl": "base_url", "authUrl": "auth_url"}
    return client.BluejayOAuth(**{name: given["application"][key] for key, name in {**names, **urls}.items()})


def authorize(client, given, _emit):
    """Asks for consent, and exchanges a callback of another request."""
    oauth = oauth_of(client, given)
    request = oauth.authorization_url(["read", "wallet"])
    try:
        oauth.exchange_callback("https://a.example/?state=another&code=c", request)
    except OAuthError as error:
        return {"url": request.url, "refused": error.code}


def refresh_together(client, given, _emit):
    stored = []
    saved = SavedTokens("bja_old", given["refreshToken"], time.time())
    source = client.TokenSource(oauth_of(client, given), saved, stored.append)
    url = given["application"]["baseUrl"]
    with client.Bluejay(source.access_token, url) as bluejay, ThreadPoolExecutor(20) as pool:
        modes = list(pool.map(lambda _: bluejay.wallet.get()["mode"], range(20)))
    return {"modes": modes, "stored": len(stored)}


def follow(client, given, emit):
    """Follows the event stream. With a short silence, that is its limit until the stream has been open twice."""
    opened = []

    def on_open():
        opened.append(True)
        if len(opened) == 2:
            silence.stop()
        emit("open")

    silence = patch(f"bluejay_post._{client.kind}.transport._SILENCE_S", given["silenceS"])
    silence.start()
    # With a silence this short, a slow first answer would count as a lost connection and end the stream.
    retries = 10 if given["silenceS"] < 10 else 0
    bluejay = client.Bluejay(given["key"], given["url"], max_retries=retries, timeout=120.0)
    try:
        for event in bluejay.events.stream(given["after"], on_open=on_open):
            emit({"id": event.id, "event": event.event, "data": event.data})
    except BluejayError as error:
        return describe(error)["class"]
    finally:
        if len(opened) < 2:
            silence.stop()

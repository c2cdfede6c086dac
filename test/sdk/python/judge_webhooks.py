"""Prints which of the given deliveries are genuine. Those that must be accepted are judged at the given time."""

import json
import sys

from bluejay import WebhookVerificationError, verify_webhook

given = json.loads(sys.argv[1])
judged = {}
for vector in given["vectors"]:
    try:
        headers = {"X-Service-Signature": vector["header"]}
        now = given["now"] if vector["accepted"] else None
        verify_webhook(vector["body"].encode(), headers, given["secret"], now=now)
        judged[vector["title"]] = True
    except WebhookVerificationError:
        judged[vector["title"]] = False
print(json.dumps(judged))

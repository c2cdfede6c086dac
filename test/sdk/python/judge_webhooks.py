"""Prints which of the given deliveries are genuine."""

import json
import sys

from bluejay import WebhookVerificationError, verify_webhook

given = json.loads(sys.argv[1])
judged = {}
for vector in given["vectors"]:
    try:
        verify_webhook(vector["body"].encode(), {"X-Service-Signature": vector["header"]}, given["secret"])
        judged[vector["title"]] = True
    except WebhookVerificationError:
        judged[vector["title"]] = False
print(json.dumps(judged))

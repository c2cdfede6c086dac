import os

from bluejay_post import Bluejay

bluejay = Bluejay(os.environ["BLUEJAY_API_KEY"], os.environ["BLUEJAY_URL"])

webhook = bluejay.webhooks.create({"url": "http://127.0.0.1:4000/bluejay", "events": ["MAIL_POSTED", "MAIL_FAILED"]})
# Only this answer contains the secret. Keep it for the receiver.
print(webhook["id"], webhook["secret"])

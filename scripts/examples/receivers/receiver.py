# A receiver of Bluejay's webhooks, in Python 3.8 or later, without dependencies.
# WEBHOOK_SECRET=whsec_… PORT=4000 INBOX=inbox python3 receiver.py
import hashlib
import hmac
import json
import os
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
PORT = int(os.environ.get("PORT", "4000"))
INBOX = os.environ.get("INBOX", "inbox")
MAX_AGE_S = 300
MAX_BYTES = 65_536


def is_genuine(header, raw_body):
    """Returns whether the raw body was signed with our secret at most five minutes ago."""
    parts = header.split(",")
    sent_at = next((part[2:] for part in parts if part.startswith("t=")), "")
    digest = hmac.new(SECRET, sent_at.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    expected = f"v1={digest}".encode()
    is_signed = any(hmac.compare_digest(part.encode(), expected) for part in parts)
    return is_signed and time.time() - int(sent_at) <= MAX_AGE_S


def keep_once(event, raw_body):
    """Stores an event atomically in the inbox for your program. Returns False if it is already there."""
    with tempfile.NamedTemporaryFile(dir=INBOX, prefix=".part-") as part:
        part.write(raw_body)
        part.flush()
        os.fsync(part.fileno())
        try:
            os.link(part.name, os.path.join(INBOX, f"{event['event']}.{event.get('itemId', event['mailJobId'])}.json"))
            return True
        except FileExistsError:
            return False


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        try:
            status = self.receive()
        except Exception as error:
            self.log_error("%s", error)
            status = 500
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def receive(self):
        length = int(self.headers.get("Content-Length", "0"))
        if not 0 <= length <= MAX_BYTES:
            return 413
        raw_body = self.rfile.read(length)
        if not is_genuine(self.headers.get("X-Service-Signature", ""), raw_body):
            return 401
        event = json.loads(raw_body)
        if keep_once(event, raw_body):
            print(event["event"], event["mailJobId"], flush=True)
        return 204


os.makedirs(INBOX, exist_ok=True)
ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()

import os
import time

import httpx
from bluejay_post import Bluejay

bluejay = Bluejay(os.environ["BLUEJAY_API_KEY"], os.environ["BLUEJAY_URL"])

people = "Name;Street;Postcode;City\nAda Peeters;Rue Haute 1;1000;Bruxelles\nJan Jans;Kerkstraat 2;9000;Gent\n".encode()
upload = bluejay.bulk.create_upload({"filename": "members.csv", "mimeType": "text/csv", "sizeBytes": len(people)})
httpx.put(upload["uploadUrl"], headers=upload["headers"], content=people).raise_for_status()

s3_key = bluejay.uploads.file("scripts/examples/letter.pdf")
bulk = bluejay.bulk.create(
    {"file": {"s3Key": upload["s3Key"]}, "files": [{"s3Key": s3_key}], "serviceType": "standard"}
)


def wait_for(status):
    while True:
        found = bluejay.bulk.get(bulk["bulkId"])
        if found["status"] == status:
            return found
        if found["status"] not in ("validating", "sending"):
            raise RuntimeError(f"The bulk is {found['status']}.")
        time.sleep(1)


rows = wait_for("ready")["rows"]
print(f"{rows['valid']} of {rows['total']} rows are valid")
bluejay.bulk.confirm(bulk["bulkId"], {"maxTotalCents": 1_000})
print(f"{wait_for('sent')['progress']['sent']} letters")

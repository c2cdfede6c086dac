import os
import time

from bluejay_post import Bluejay

bluejay = Bluejay(os.environ["BLUEJAY_API_KEY"], os.environ["BLUEJAY_URL"])

s3_key = bluejay.uploads.file("scripts/examples/letter.pdf")
check = bluejay.preflights.create({"files": [{"s3Key": s3_key}]})
while check["status"] == "running":
    time.sleep(1)
    check = bluejay.preflights.get(check["preflightId"])
print("It can be printed." if check["canBePrinted"] else "It cannot be printed.")
for finding in check["findings"]:
    print(f"{finding['severity']} {finding['code']}: {finding['message']}")

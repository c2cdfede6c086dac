import os

from bluejay_post import Bluejay

bluejay = Bluejay(os.environ["BLUEJAY_API_KEY"], os.environ["BLUEJAY_URL"])

print(bluejay.wallet.get()["balanceCents"], "cents")
for entry in bluejay.wallet.transactions():
    print(entry["seq"], entry["kind"], entry["amountCents"])

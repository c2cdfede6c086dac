import os
from uuid import uuid4

from bluejay_post import Bluejay

bluejay = Bluejay(os.environ["BLUEJAY_API_KEY"], os.environ["BLUEJAY_URL"])

ada = {"name": "Ada Peeters", "line1": "Rue Haute 1", "zip": "1000", "city": "Bruxelles", "country": "BE"}
letter = {"zone": "NATIONAL", "serviceType": "registered", "pages": 1}

total_cents = bluejay.quotes.create(letter)["totalCents"]
mail = bluejay.mails.send_file(
    "scripts/examples/letter.pdf",
    {**letter, "recipients": [ada], "externalId": f"order-{uuid4()}", "maxTotalCents": total_cents},
)
print(f"{mail['mailJobId']} is {mail['status']}, for {total_cents} cents")

bluejay.mails.simulate(mail["mailJobId"], {"to": "delivered"})
print(bluejay.mails.get(mail["mailJobId"])["status"])

import os
from uuid import uuid4

from bluejay_post import Bluejay

bluejay = Bluejay(os.environ["BLUEJAY_API_KEY"], os.environ["BLUEJAY_URL"])

text = "# Your invoice ((invoice))\n\nDear ((name)),\n\nPlease pay **((amount)) EUR** within 14 days."
template = bluejay.templates.create({"name": "Payment reminder", "language": "en", "text": text})

ada = {"name": "Ada Peeters", "line1": "Rue Haute 1", "zip": "1000", "city": "Bruxelles", "country": "BE"}
mail = bluejay.mails.create(
    {
        "zone": "NATIONAL",
        "serviceType": "standard",
        "templateId": template["templateId"],
        "mergeVariables": {"invoice": "2026-0012", "name": "Ada Peeters", "amount": "120.00"},
        "recipients": [ada],
        "externalId": f"reminder-{uuid4()}",
    }
)
print(f"{mail['mailJobId']} is {mail['status']}, {mail['pages']} page")

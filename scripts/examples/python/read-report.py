import os

from bluejay_post import Bluejay

bluejay = Bluejay(os.environ["BLUEJAY_API_KEY"], os.environ["BLUEJAY_URL"])

report = bluejay.reports.spend({"interval": "day"})
print(f"{report['from']} to {report['to']}: {report['totals']['spentCents']} cents")

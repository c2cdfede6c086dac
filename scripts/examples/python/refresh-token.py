import os

from bluejay_post import BluejayOAuth

url = os.environ["BLUEJAY_URL"]
oauth = BluejayOAuth(
    client_id=os.environ["BLUEJAY_CLIENT_ID"],
    client_secret=os.environ["BLUEJAY_CLIENT_SECRET"],
    redirect_uri="https://app.example/back",
    base_url=url,
    auth_url=url,
)

# Keep the new refresh token: the old one works only once.
tokens = oauth.refresh(os.environ["BLUEJAY_REFRESH_TOKEN"])
print(200, tokens["token_type"], tokens["scope"])

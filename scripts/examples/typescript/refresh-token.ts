import { BluejayOAuth } from 'bluejay-post';

const {
  BLUEJAY_URL: baseUrl = '',
  BLUEJAY_CLIENT_ID: clientId = '',
  BLUEJAY_CLIENT_SECRET: clientSecret = '',
} = process.env;
const { BLUEJAY_REFRESH_TOKEN: refreshToken = '' } = process.env;
const redirectUri = 'https://app.example/back';
const oauth = new BluejayOAuth({ clientId, clientSecret, redirectUri, baseUrl, authUrl: baseUrl });

// Keep the new refresh token: the old one works only once.
const tokens = await oauth.refresh(refreshToken);
console.log(`200 ${tokens.token_type} ${tokens.scope}`);

// Uses what runtimes do differently: files, streams of bytes and of events, Web Crypto, timeouts and errors. The test
// copies it beside the installed package, and runs it as an ES module and as CommonJS.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Bluejay, BluejayOAuth, ConnectionError, NotFoundError, verifyWebhook, version } from 'bluejay-post';

const { BLUEJAY_TEST_KEY: apiKey, BLUEJAY_URL: baseUrl, SIGNED: signed, VERSION: packed } = process.env;

async function main() {
  const bluejay = new Bluejay({ apiKey, baseUrl });
  const recipients = [{ name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' }];
  const streamed = bluejay.events.stream();
  const next = streamed.next();

  const bytes = await readFile('letter.pdf');
  const sources = ['letter.pdf', bytes, new Blob([bytes]), new File([bytes], 'a.pdf'), createReadStream('letter.pdf')];
  const sent = [];
  for (const file of sources) sent.push((await bluejay.mails.sendFile(file, { recipients, pages: 1 })).mailJobId);

  const listed = [];
  for await (const { mailJobId } of bluejay.mails.list({ limit: 2 })) listed.unshift(mailJobId);
  const event = (await next).value;
  await streamed.return();

  const { body, header, secret } = JSON.parse(signed);
  const verified = await verifyWebhook(body, { 'x-service-signature': header }, secret);
  const missing = await bluejay.mails.get('mj_01m7ynaxr5fqa9hh2hay4xy8yc').catch((error) => error);
  const mute = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => mute.once('listening', resolve));
  const unanswered = new Bluejay({ apiKey, baseUrl: `http://127.0.0.1:${mute.address().port}` });
  const late = await unanswered.wallet.get({ timeoutMs: 1, maxRetries: 0 }).catch((error) => error);
  mute.close();
  const client = { clientId: 'bjc_1', clientSecret: 's', redirectUri: 'https://a.example', baseUrl, authUrl: baseUrl };
  const { url } = await new BluejayOAuth(client).authorizationUrl({ scopes: ['read'] });
  const seen = [
    ['the version', version === packed],
    ['files of all kinds', sent.length === sources.length],
    ['lists', listed.join() === sent.join()],
    ['events', event.event === 'MAIL_QUEUED' && sent.includes(event.data.mailJobId)],
    ['webhooks', verified.event === 'MAIL_POSTED'],
    ['errors of the API', missing instanceof NotFoundError && missing.status === 404],
    ['timeouts', late instanceof ConnectionError && late.code === 'TIMEOUT'],
    ['PKCE', /code_challenge=[\w-]{43}&/.test(url)],
  ];
  process.stdout.write(`${seen.map(([what, isRight]) => `${isRight ? 'ok' : 'WRONG'}: ${what}`).join('\n')}\n`);
}

main();

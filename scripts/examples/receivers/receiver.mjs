// A receiver of Bluejay's webhooks, in Node.js 20 or later, without dependencies.
// WEBHOOK_SECRET=whsec_… PORT=4000 INBOX=inbox node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { linkSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret, PORT: port = '4000', INBOX: inbox = 'inbox' } = process.env;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret of your webhook.');
mkdirSync(inbox, { recursive: true });
const maxAgeS = 300;
const maxBytes = 65_536;

/** Returns whether the raw body was signed with our secret at most five minutes ago. */
function isGenuine(header, rawBody) {
  const parts = String(header).split(',');
  const time = parts.find((part) => part.startsWith('t='))?.slice(2);
  const expected = Buffer.from(`v1=${createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest('hex')}`);
  const isSigned = parts
    .map((part) => Buffer.from(part))
    .some((part) => part.length === expected.length && timingSafeEqual(part, expected));
  return isSigned && Date.now() / 1000 - Number(time) <= maxAgeS;
}

/** Stores an event atomically in the inbox for your program. Returns false if it is already there. */
function keepOnce({ event, mailJobId, itemId = mailJobId }, rawBody) {
  const part = `${inbox}/.part-${process.pid}`;
  writeFileSync(part, rawBody, { flush: true });
  try {
    linkSync(part, `${inbox}/${event}.${itemId}.json`);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    unlinkSync(part);
  }
}

async function receive(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBytes) return 413;
    chunks.push(chunk);
  }
  const rawBody = Buffer.concat(chunks);
  if (!isGenuine(request.headers['x-service-signature'], rawBody)) return 401;
  const event = JSON.parse(rawBody);
  if (keepOnce(event, rawBody)) process.stdout.write(`${event.event} ${event.mailJobId}\n`);
  return 204;
}

createServer(async (request, response) => {
  const status = await receive(request).catch((error) => {
    process.stderr.write(`${error}\n`);
    return 500;
  });
  response.writeHead(status).end();
}).listen(Number(port), '127.0.0.1');

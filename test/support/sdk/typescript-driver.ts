import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Transport } from '#scripts/sdk/typescript/src/http/transport.ts';
import {
  Bluejay,
  BluejayOAuth,
  type OAuthError,
  type SavedTokens,
  verifyWebhook,
  WebhookVerificationError,
} from '#scripts/sdk/typescript/src/index.ts';
import { Events } from '#scripts/sdk/typescript/src/resources/events.ts';
import { guardMs } from '../jest.ts';
import { aPostalAddress } from '../product/customer.ts';
import { describe, scriptedCommands } from './typescript-scripted.ts';
import type { WebhookVector } from './webhook-vectors.ts';

const recipients = [{ ...aPostalAddress(), name: 'Ada Peeters' }];
const letter = { zone: 'NATIONAL', serviceType: 'standard', pages: 1, recipients } as const;
type Service = { key: string; url: string; file: string };
type Application = { application: ConstructorParameters<typeof BluejayOAuth>[0] };
const clientOf = ({ key, url }: Pick<Service, 'key' | 'url'>, maxRetries = 2) =>
  new Bluejay({ apiKey: key, baseUrl: url.replace(/\/$/, ''), maxRetries });

let following = new AbortController();

/** Ends the streams that are followed. */
export function stop(): void {
  following.abort();
  following = new AbortController();
}

/** The same commands as those in test/sdk/python. */
export const commands = {
  ...scriptedCommands,

  async journey({ receiver, file, ...service }: Service & { receiver: string }) {
    const bluejay = clientOf(service);
    const { secret } = await bluejay.webhooks.create({ url: receiver, events: ['MAIL_QUEUED', 'MAIL_DELIVERED'] });
    const quote = await bluejay.quotes.create({ zone: 'NATIONAL', serviceType: 'registered', pages: 1 });
    const sent = await bluejay.mails.sendFile(file, { recipients, serviceType: 'registered' });
    const id = sent.mailJobId ?? '';
    await bluejay.mails.simulate(id, { to: 'delivered' });
    const refused = [
      await bluejay.mails.cancel(id).catch(describe),
      await bluejay.mails.get('mj_01m7ynaxr5fqa9hh2hay4xy8yc').catch(describe),
      await bluejay.quotes.create({ zone: 'MOON' as 'NATIONAL', serviceType: 'standard', pages: 0 }).catch(describe),
    ];
    const filenames: (string | null | undefined)[] = [];
    for (const each of [
      await readFile(file),
      new Blob([new Uint8Array(await readFile(file))]).stream(),
      createReadStream(file),
    ]) {
      filenames.push((await bluejay.mails.sendFile(each, { recipients, pages: 1 })).files[0]?.filename);
    }
    const { status } = await bluejay.mails.get(id);
    const events = (await bluejay.mails.timeline(id)).data.length;
    return { id, secret, refused, filenames, sent, quote, status, events };
  },

  async sendFileAgain({ file, dryRun = false, ...service }: Service & { dryRun?: boolean }) {
    const bluejay = clientOf(service);
    const bytes = await readFile(file);
    const sent = [];
    for (const each of [bytes, bytes, Buffer.concat([bytes, Buffer.from('\n')])]) {
      sent.push(await bluejay.mails.sendFile(each, { recipients, pages: 1, externalId: 'again', dryRun }));
    }
    return sent.map(({ duplicate, payloadMatches }) => [duplicate, payloadMatches]);
  },

  async listWhileSending({ file, ...service }: Service) {
    const bluejay = clientOf(service);
    const files = [{ s3Key: await bluejay.uploads.file(file) }];
    const send = async (externalId: string) => await bluejay.mails.create({ ...letter, recipients, files, externalId });
    for (let n = 0; n < 5; n += 1) await send(`first ${n}`);
    const listed: (string | null)[] = [];
    for await (const { externalId } of bluejay.mails.list({ limit: 2 })) {
      listed.push(externalId);
      await send(`later ${listed.length}`);
    }
    return listed;
  },

  async sendMany({ file, sends, ...service }: Service & { sends: number }) {
    const bluejay = clientOf(service, 10);
    const files = [{ s3Key: await bluejay.uploads.file(file) }];
    const send = async (n: number) => {
      if (n % 10 === 0) return await bluejay.mails.sendFile(file, { recipients, pages: 1 });
      const own = n % 2 === 0 ? { externalId: `order-${n}` } : {};
      return await bluejay.mails.create({ ...letter, recipients, files, ...own });
    };
    const ids: (string | null)[] = [];
    let next = 0;
    const sendOn = async () => {
      while (next < sends) ids.push((await send(next++)).mailJobId);
    };
    await Promise.all(Array.from({ length: 4 }, sendOn));
    return ids;
  },

  async judge({ vectors, secret, now }: { vectors: WebhookVector[]; secret: string; now: number }) {
    const judged: Record<string, boolean> = {};
    for (const { title, body, header, accepted } of vectors) {
      const options = accepted ? { nowMs: now * 1_000 } : {};
      judged[title] = await verifyWebhook(body, { 'X-Service-Signature': header }, secret, options).then(
        () => true,
        (error) => {
          if (error instanceof WebhookVerificationError) return false;
          throw error;
        },
      );
    }
    return judged;
  },

  async authorize({ application }: Application) {
    const oauth = new BluejayOAuth(application);
    const request = await oauth.authorizationUrl({ scopes: ['read', 'wallet'] });
    const refused = await oauth
      .exchangeCallback('https://a.example/?state=another&code=c', request)
      .catch(({ code }: OAuthError) => code);
    return { url: request.url, refused };
  },

  async refreshTogether({ application, refreshToken }: Application & { refreshToken: string }) {
    const stored: SavedTokens[] = [];
    const saved = { accessToken: 'bja_old', refreshToken, expiresAtMs: Date.now() };
    const source = new BluejayOAuth(application).createTokenSource(saved, (tokens) => stored.push(tokens));
    const bluejay = new Bluejay({ apiKey: () => source.getAccessToken(), baseUrl: application.baseUrl });
    const wallets = await Promise.all(Array.from({ length: 20 }, () => bluejay.wallet.get()));
    return { modes: wallets.map(({ mode }) => mode), stored: stored.length };
  },

  async follow(
    { key, url, after, silenceS }: Pick<Service, 'key' | 'url'> & { after: string | null; silenceS: number },
    onLine: (line: unknown) => void,
  ) {
    const options = { credential: key, baseUrl: url, fetch, maxRetries: 0, timeoutMs: guardMs };
    const events = new Events(new Transport(options), { silenceMs: silenceS * 1_000, reconnectAfterMs: 10 });
    const { signal } = following;
    try {
      const query = after === null ? {} : { after };
      for await (const event of events.stream(query, { signal, onOpen: () => onLine('open') })) onLine(event);
      return null;
    } catch (error) {
      return signal.aborted ? null : describe(error).class;
    }
  },
};

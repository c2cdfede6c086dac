// Level: ci
import { join } from 'node:path';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { byLevel, describe, eventually, expect, openOnce } from '#test/support/jest.ts';
import { anApplication } from '#test/support/product/application.ts';
import { startWorld } from '#test/support/product/world.ts';
import { root } from '#test/support/project/markdown.ts';
import { readDocument } from '#test/support/project/openapi.ts';
import { createRandom } from '#test/support/random.ts';
import { openDrivers } from '#test/support/sdk/drivers.ts';
import { nowInSeconds, signVectors } from '#test/support/sdk/webhook-vectors.ts';
import { startFaultProxy } from '#test/support/servers/fault-proxy.ts';
import { isSignedBy, startReceiver } from '#test/support/webhooks/receiver.ts';

const file = join(root, 'scripts/examples/letter.pdf');
const sends = byLevel({ quick: 30, full: 30, long: 1_000 });
const lost = 0.2;

const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
const receiver = startReceiver();
const proxy = openOnce(() => startFaultProxy(world.url));

describe.each(openDrivers())('the %s client', (name, { run, testHere }) => {
  testHere('every operation of the OpenAPI document has a method, and no method leads elsewhere', async () => {
    const asked = await run<string[]>('operations');
    const operations = Object.entries(readDocument().paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const templateOf = (request: string) =>
      operations.find((operation) => new RegExp(`^${operation.replaceAll(/\{\w+\}/g, 'a')}$`).test(request)) ?? request;
    expect([...new Set(asked.map(templateOf))].sort()).toEqual(operations.sort());
  });

  testHere('a call has headers of its own, and its times have a zone', async () => {
    const at = '2026-03-02T08:00:00+01:00';
    const refused = ['Authorization', 'idempotency-key'];
    type Seen = { asked: [string | null, string, string][]; errors: string[]; naive?: string[] };
    const { asked, errors, naive = [] } = await run<Seen>('options', { at, refused });
    expect(asked.map(([sandbox, key]) => [sandbox, key])).toEqual([
      ['rate-limited', 'Bearer bjk_1'],
      [null, 'Bearer bjk_1'],
    ]);
    for (const [, , time] of asked) {
      expect([time, Date.parse(time)]).toEqual([expect.stringMatching(/Z$|\+01:00$/), Date.parse(at)]);
    }
    // It would be overridden, and the letter be sent again.
    expect(errors.map((message) => message.toLowerCase())).toEqual(
      refused.map((name) => `the client sets the header ${name.toLowerCase()} itself.`),
    );
    for (const message of naive) expect(message).toContain('with a zone');
    expect(naive).toHaveLength(name === 'TypeScript' ? 0 : 2);
  });

  testHere('a letter is priced, sent, delivered and followed by signed webhooks; errors have their class', async () => {
    type Seen = Record<string, unknown> & { sent: { totalCents: number }; quote: { totalCents: number } };
    // The first check of a file starts the renderer, which may take longer than a client waits.
    const seen = await eventually(async () => {
      const { key } = await world.customer();
      return await run<Seen>('journey', { key, url: world.url, receiver: receiver.url, file });
    });
    expect(seen).toMatchObject({
      sent: { status: 'queued', pages: 1, zone: 'NATIONAL', totalCents: seen.quote.totalCents },
      status: 'delivered',
      refused: [
        { class: 'ConflictError', status: 409 },
        { class: 'NotFoundError', code: 'NOT_FOUND', status: 404, issues: [] },
        { class: 'InvalidRequestError', code: 'VALIDATION_ERROR', status: 400, issues: [{}, {}] },
      ],
      filenames: ['letter.pdf', 'letter.pdf', 'letter.pdf'],
    });
    expect(seen.events).toBeGreaterThan(1);
    if (name !== 'TypeScript') expect(seen.texts).toEqual([]);
    await eventually(() => {
      const deliveries = receiver.received.filter(({ raw }) => raw.includes(String(seen.id)));
      expect(deliveries.map((delivery) => isSignedBy(String(seen.secret), delivery))).toEqual([true, true]);
    });
  });

  testHere('a repeat of a file with an externalId uploads it only without the scope read', async () => {
    for (const [scopes, uploads] of [
      [['send'], 3],
      [['send', 'read'], 2],
    ] as const) {
      const { key, organizationId } = await world.customer({ scopes, balanceCents: 10_000 });
      const sent = await run('sendFileAgain', { key, url: world.url, file });
      expect(sent).toEqual([
        [false, true],
        [true, true],
        [true, false],
      ]);
      expect(await Upload.countDocuments({ organizationId })).toBe(uploads);
      // As a day later. The price of a letter that is not sent needs a file that can be.
      await Upload.updateMany({ organizationId }, { usableUntil: new Date(0) });
      const tried = await run('sendFileAgain', { key, url: world.url, file, dryRun: true });
      expect(tried).toEqual(Array(3).fill([false, true]));
    }
  });

  testHere('a list yields each letter once while others are sent', async () => {
    const { key } = await world.customer();
    const listed = await run('listWhileSending', { key, url: world.url, file });
    expect(listed).toEqual([4, 3, 2, 1, 0].map((n) => `first ${n}`));
  });

  testHere('deliveries of webhooks are judged as every receiver does', async () => {
    const secret = 'whsec_of_the_tests';
    const now = nowInSeconds();
    const vectors = signVectors(secret, now);
    const judged = await run('judge', { secret, vectors, now });
    expect(judged).toEqual(Object.fromEntries(vectors.map(({ title, accepted }) => [title, accepted])));
  });

  testHere('many callers share one refresh of a token, which is stored', async () => {
    const app = await anApplication(world);
    const { clientId, secret: clientSecret, redirectUri } = app;
    proxy.loseAnswers(() => false);
    const countRefreshes = proxy.countRequests('POST /oauth/token ');
    const urls = { baseUrl: proxy.url.replace(/\/$/, ''), authUrl: 'https://a.example' };
    const application = { clientId, clientSecret, redirectUri, ...urls };
    expect(await run('authorize', { application })).toEqual({
      url: expect.stringMatching(/^https:\/\/a\.example\/oauth\/authorize\?response_type=code/),
      refused: 'invalid_state',
    });
    const { refresh_token: refreshToken } = await app.authorize();
    const seen = await run('refreshTogether', { application, refreshToken });
    expect(seen).toEqual({ modes: Array(20).fill('test'), stored: 1 });
    expect(countRefreshes()).toBe(1);
  });

  testHere(`${sends} letters through a proxy that loses 20 % of the answers are sent and paid once`, async () => {
    const { random } = createRandom(17);
    const { key, organizationId, balanceCents, http } = await world.customer({ balanceCents: 1_000_000 });
    let losses = 0;
    proxy.loseAnswers(() => {
      const isLost = random() < lost;
      if (isLost) losses += 1;
      return isLost;
    });
    const ids = await run<string[]>('sendMany', { key, url: proxy.url.replace(/\/$/, ''), file, sends });
    expect(new Set(ids).size).toBe(sends);
    expect(await MailJob.countDocuments({ organizationId })).toBe(sends);
    const quote = await http.post('/v1/quote', { zone: 'NATIONAL', serviceType: 'standard', pages: 1 });
    expect(await balanceCents()).toBe(1_000_000 - sends * quote.body.totalCents);
    expect(losses).toBeGreaterThan((sends * lost) / 2);
  });
});

describe.each(openDrivers().filter(([name]) => name !== 'TypeScript'))(
  'times of the %s client',
  (_name, { run, testHere }) => {
    testHere(
      'those of answers and events are a datetime in UTC, those that a customer gave stay as they are',
      async () => {
        const at = '2026-03-02T07:00:00.123Z';
        const time = 'datetime.datetime(2026, 3, 2, 7, 0, 0, 123000, tzinfo=datetime.timezone.utc)';
        const own = {
          metadata: { createdAt: at, dropAt: at },
          externalId: at,
          printedAt: null,
          postedAt: '2026-03-02',
          laterAt: at,
        };
        const letter = { ...own, createdAt: at, recipients: [{ name: at, returned: { at } }, { returned: null }] };
        const event = { event: 'MAIL_QUEUED', externalId: at, queuedAt: at };
        const read = await run<{ letters: object[]; events: object[] }>('times', { letter, event });
        const recipients = [{ name: at, returned: { at: time } }, { returned: null }];
        // The entries of a list have no recipients.
        const listed = { ...letter, createdAt: time };
        expect(read.letters).toEqual([{ ...listed, recipients }, listed, listed]);
        expect(read.events).toEqual(Array(2).fill({ ...event, queuedAt: time }));
      },
    );
  },
);

import { join } from 'node:path';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { byLevel, describe, eventually, expect, openOnce } from '#test/support/jest.ts';
import { anApplication } from '#test/support/product/application.ts';
import { startWorld } from '#test/support/product/world.ts';
import { root } from '#test/support/project/markdown.ts';
import { readDocument } from '#test/support/project/openapi.ts';
import { createRandom } from '#test/support/random.ts';
import { runWithSdk, testWithPython } from '#test/support/sdk/python.ts';
import { nowInSeconds, signVectors } from '#test/support/sdk/webhook-vectors.ts';
import { startFaultProxy } from '#test/support/servers/fault-proxy.ts';
import { isSignedBy, startReceiver } from '#test/support/webhooks/receiver.ts';

const file = join(root, 'scripts/examples/letter.pdf');
const sends = byLevel({ quick: 60, full: 1_000 });
const lost = 0.2;

describe('the Python SDK', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const receiver = startReceiver();
  const proxy = openOnce(() => startFaultProxy(world.url));

  testWithPython('every operation of the OpenAPI document has a method in both clients', async () => {
    const asked = await runWithSdk<Record<'sync' | 'async', string[]>>('operations.py', {});
    const operations = Object.entries(readDocument().paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const templateOf = (request: string) =>
      operations.find((operation) => new RegExp(`^${operation.replaceAll(/\{\w+\}/g, 'a')}$`).test(request)) ?? request;
    for (const requests of [asked.sync, asked.async]) {
      expect([...new Set(requests.map(templateOf))].sort()).toEqual(operations.sort());
    }
  });

  testWithPython('a letter is priced, sent, delivered and listed, and errors have their class', async () => {
    const { key } = await world.customer();
    const seen = await runWithSdk<Record<string, unknown>>('journey.py', {
      ...{ key, url: world.url, receiver: receiver.url, file },
    });
    const { secret, id, ...rest } = seen;
    expect(rest).toEqual({
      ...{ pages: 1, costs: true, status: 'delivered' },
      conflict: ['ConflictError', expect.any(String), 409, 0],
      missing: ['NotFoundError', 'NOT_FOUND', 404, 0],
      invalid: ['InvalidRequestError', 'VALIDATION_ERROR', 400, 2],
      filenames: ['letter.pdf', 'letter.pdf', 'letter.pdf'],
      listed: [4, 3, 2, 1, 0].map((n) => `first ${n}`),
    });
    await eventually(() => {
      const deliveries = receiver.received.filter(({ raw }) => raw.includes(String(id)));
      expect(deliveries.map((delivery) => isSignedBy(String(secret), delivery))).toEqual([true, true]);
    });
  });

  testWithPython('deliveries of webhooks are judged as every receiver does', async () => {
    const secret = 'whsec_of_the_tests';
    const now = nowInSeconds();
    const vectors = signVectors(secret, now);
    const judged = await runWithSdk('judge_webhooks.py', { secret, vectors, now });
    expect(judged).toEqual(Object.fromEntries(vectors.map(({ title, accepted }) => [title, accepted])));
  });

  testWithPython('callers share one refresh of a token, in threads and in tasks', async () => {
    const app = await anApplication(world);
    const refreshTokens = [(await app.authorize()).refresh_token, (await app.authorize()).refresh_token];
    const { clientId: client_id, secret: client_secret, redirectUri: redirect_uri } = app;
    const seen = await runWithSdk<Record<string, unknown>>('oauth.py', {
      application: { client_id, client_secret, redirect_uri, base_url: world.url, auth_url: 'https://a.example' },
      refresh_tokens: refreshTokens,
    });
    expect(seen).toEqual({
      url: expect.stringMatching(/^https:\/\/a\.example\/oauth\/authorize\?response_type=code/),
      refused: 'invalid_state',
      modes: Array(40).fill('test'),
      stored: 2,
    });
  });

  testWithPython(`${sends} letters through a proxy that loses 20 % of the answers are sent and paid once`, async () => {
    const { random } = createRandom(17);
    const { key, organizationId, balanceCents, http } = await world.customer({ balanceCents: 1_000_000 });
    let losses = 0;
    proxy.loseAnswers(() => {
      const isLost = random() < lost;
      if (isLost) losses += 1;
      return isLost;
    });
    const ids = await runWithSdk<string[]>('lost_answers.py', {
      key,
      url: proxy.url,
      file,
      sends,
    });
    expect(new Set(ids).size).toBe(sends);
    expect(await MailJob.countDocuments({ organizationId })).toBe(sends);
    const quote = await http.post('/v1/quote', { zone: 'NATIONAL', serviceType: 'standard', pages: 1 });
    expect(await balanceCents()).toBe(1_000_000 - sends * quote.body.totalCents);
    expect(losses).toBeGreaterThan((sends * lost) / 2);
  });
});

// Level: push
import { errorTable } from '#common/errors.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { requestOutcomes, sandboxHeader } from '#common/sandbox/steps/sandbox-outcomes.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aSender, issuePaths, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('the header Bluejay-Sandbox', () => {
  const lines: string[] = [];
  const world = startWorld({ onLogLine: (line) => void lines.push(line) });
  const sender = openOnce(() => aSender(world));
  const choose = (outcome: string) => ({ [sandboxHeader]: outcome });
  const refusals = Object.entries(requestOutcomes).filter(([name]) => name !== 'answer-lost');
  const retryAfter: Record<string, string> = { 'rate-limited': '2', 'service-unavailable': '2', 'answer-lost': '1' };

  test.each(refusals)('%s refuses a letter, and the same request without it is accepted', async (name, outcome) => {
    const externalId = `after-${name}`;
    const before = await ledgerOf(sender);
    const refused = await sender.send({ externalId }, choose(name));
    const { status } = errorTable[outcome.code];
    expect(refused).toMatchObject({ status, body: { code: outcome.code, message: expect.any(String) } });
    expect(refused.headers.get('retry-after')).toBe(retryAfter[name] ?? null);
    expect(await MailJob.countDocuments({ externalId })).toBe(0);
    expect(await ledgerOf(sender)).toEqual(before);
    expect((await sender.send({ externalId })).status).toBe(201);
  });

  test('answer-lost sends the letter, and a repeat finds it', async () => {
    const externalId = 'lost';
    const lost = await sender.send({ externalId }, choose('answer-lost'));
    expect(lost).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(lost.headers.get('retry-after')).toBe(retryAfter['answer-lost']);
    const repeat = await sender.send({ externalId });
    expect(repeat).toMatchObject({ status: 200, body: { duplicate: true, payloadMatches: true } });
    const debits = (await ledgerOf(sender)).filter(({ mailJobId }) => mailJobId === repeat.body.mailJobId);
    expect(debits).toHaveLength(1);
  });

  test.each([
    ['nothing', ['insufficient-funds', 'pricing-unavailable', 'rate-limited', 'service-unavailable', 'answer-lost']],
    ['', ['insufficient-funds']],
    ['constructor', ['insufficient-funds']],
  ])('the value %j is a 400 that names the known ones', async (value, known) => {
    const answer = await sender.send({}, choose(value));
    expect([answer.status, issuePaths(answer)]).toEqual([400, [sandboxHeader]]);
    for (const name of known) expect(answer.body.issues[0].message).toContain(name);
  });

  test('a read takes only outcomes that it can have', async () => {
    const get = (outcome: string) => sender.http.get('/v1/mails', choose(outcome));
    expect((await get('rate-limited')).status).toBe(429);
    expect((await get('service-unavailable')).status).toBe(503);
    for (const other of ['insufficient-funds', 'pricing-unavailable', 'answer-lost']) {
      const answer = await get(other);
      expect(answer.status).toBe(400);
      expect(answer.body.issues[0].message).toMatch(/: rate-limited, service-unavailable\.$/);
    }
  });

  test('a chosen failure alarms no operator: no error in the log, and no 5xx in the metrics', async () => {
    lines.length = 0;
    for (const name of Object.keys(requestOutcomes)) await sender.send({ externalId: `quiet-${name}` }, choose(name));
    const about = lines.map((line) => JSON.parse(line)).filter(({ sandboxOutcome }) => sandboxOutcome !== undefined);
    expect(about.map(({ sandboxOutcome }) => sandboxOutcome)).toEqual(Object.keys(requestOutcomes));
    expect(lines.filter((line) => ['warn', 'error', 'fatal'].includes(JSON.parse(line).level))).toEqual([]);
    const counted = /^http_server_request_duration_seconds_count\{[^}]*status_class="(\w+)"[^}]*\} [1-9]/gm;
    const classes = [...(await world.registry.metrics()).matchAll(counted)].map(([, name]) => name);
    expect(classes).not.toContain('5xx');
    expect(classes).toContain('sandbox');
  });

  test('a live key is refused with what to do, and a faulty body comes first', async () => {
    const live = await aSender(world, { mode: 'live', balanceCents: 10_000 });
    const answer = await live.send({}, choose('rate-limited'));
    expect([answer.status, issuePaths(answer)]).toEqual([400, [sandboxHeader]]);
    expect(answer.body.issues[0].message).toMatch(/use a test key/);
    expect(await live.balanceCents()).toBe(10_000);
    const faulty = await sender.send({ pages: 0 }, choose('rate-limited'));
    expect([faulty.status, issuePaths(faulty)]).toEqual([400, ['pages']]);
  });
});

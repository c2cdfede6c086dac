// Level: push
import { clockLimits, SandboxClock } from '#common/sandbox/clocks/sandbox-clock.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aSender, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';
import { aTestClock, clockStart, plusDays } from '#test/support/sandbox/test-clock.ts';

describe('POST /v1/sandbox/clocks', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));
  const create = (body: object, from = sender) => from.http.post('/v1/sandbox/clocks', body);

  test('a clock shows its time, and is deleted after 30 days', async () => {
    const { status, body } = await create({
      now: '2027-01-01T10:00:00+02:00'.replace(/^.{19}/, clockStart.slice(0, 19)),
    });
    const now = new Date(Date.parse(clockStart) - 2 * 3_600_000).toISOString();
    const expected = { clockId: expect.stringMatching(/^clk_/), now, status: 'ready', target: null, letterCount: 0 };
    expect([status, body]).toEqual([
      201,
      {
        ...{ ...expected, deletesAt: expect.any(String), createdAt: expect.any(String) },
        createdBy: { kind: 'api_key', id: sender.keyId },
      },
    ]);
    expect(body.deletesAt).toBe(plusDays(body.createdAt, 30));
  });

  test.each([
    [{}, 'now'],
    [{ now: 'tomorrow' }, 'now'],
    [{ now: plusDays(clockStart, 400) }, 'now'],
    [{ now: plusDays(clockStart, -500) }, 'now'],
    [{ now: clockStart, to: 1 }, 'to'],
  ])('the body %j is refused', async (body, path) => {
    const answer = await create(body);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [path]]);
  });

  test('of many at once, no more are made than the limit allows', async () => {
    const other = await aSender(world);
    const at = new Date();
    const row = { organizationId: other.organizationId, mode: 'test', now: at, target: null, letterCount: 0 } as const;
    const rows = Array.from({ length: clockLimits.clocks - 2 }, (_, n) => {
      return { ...row, _id: `clk_${n}`, deletesAt: at, deletedAt: null, createdAt: at };
    });
    await SandboxClock.insertMany(rows);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => untilAnswered(() => create({ now: clockStart }, other))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('LIMIT_REACHED');
    expect((await create({ now: clockStart })).status).toBe(201);
  });

  test('a letter takes its cutoff from its clock, and joins no foreign, unknown or advancing one', async () => {
    const clock = await aTestClock(sender);
    const { status, body } = await sender.send({ sandboxClockId: clock.id });
    expect([status, body.sandboxClockId, body.queuedAt]).toEqual([201, clock.id, clockStart]);
    expect(body.dropAt > clockStart && body.dropAt < plusDays(clockStart, 6)).toBe(true);
    expect(Date.parse(body.createdAt)).toBeLessThanOrEqual(Date.now());
    expect((await clock.get()).letterCount).toBe(1);
    const foreign = await aTestClock(await aSender(world));
    const before = await sender.balanceCents();
    for (const sandboxClockId of [foreign.id, 'clk_1']) {
      const answer = await sender.send({ sandboxClockId });
      expect([answer.status, issuePaths(answer)]).toEqual([400, ['sandboxClockId']]);
    }
    await clock.start(plusDays(clockStart, 1));
    expect(await sender.send({ sandboxClockId: clock.id })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await sender.balanceCents()).toBe(before);
    const live = await aSender(world, { mode: 'live', balanceCents: 10_000 });
    expect(issuePaths(await live.send({ sandboxClockId: clock.id }))).toEqual(['sandboxClockId']);
  });

  test('a repeat joins once, and a full clock takes no letter and no money', async () => {
    const clock = await aTestClock(sender);
    const letter = { sandboxClockId: clock.id, externalId: 'once' };
    expect((await sender.send(letter)).status).toBe(201);
    expect((await sender.send(letter)).body).toMatchObject({ duplicate: true, payloadMatches: true });
    expect((await clock.get()).letterCount).toBe(1);
    await SandboxClock.updateOne({ _id: clock.id }, { $set: { letterCount: clockLimits.letters - 3 } });
    const before = await sender.balanceCents();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => untilAnswered(() => sender.send({ sandboxClockId: clock.id }))),
    );
    const accepted = answers.filter(({ status }) => status === 201);
    expect([accepted.length, (await clock.get()).letterCount]).toEqual([3, clockLimits.letters]);
    const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code);
    expect(refused).toEqual(Array(7).fill('LIMIT_REACHED'));
    expect(await sender.balanceCents()).toBe(before - 3 * accepted[0]?.body.totalCents);
  });
});

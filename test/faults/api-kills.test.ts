// Level: ci
import { afterAll, beforeAll, byLevel, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { dyingAfter, killStartedPrograms } from '#test/support/processes/process-control.ts';
import { startApis } from '#test/support/product/api-fleet.ts';
import { type Answered, type LetterRequest, useLetterChanges } from '#test/support/product/letter-changes.ts';
import { createRandom } from '#test/support/random.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

const { SEED } = process.env;
const seedCount = byLevel({ quick: 1, full: 2, long: 10 });
const seeds = SEED === undefined ? Array.from({ length: seedCount }, (_, index) => index + 1) : [Number(SEED)];

describe('a process that is killed while it changes letters', () => {
  const { world, host } = startWebHost({ hasOwnMongo: true });
  const admin = openOnce(() => host.signedIn({ isAdmin: true }));
  /** Answers the retries. */
  const survivor = openOnce(async () => {
    const [api] = await startApis(world, 1);
    return api!;
  });
  afterAll(killStartedPrograms);
  beforeAll(() => world.ownMongo?.keepTransactionsFor(3));

  const { requests, aReturn } = useLetterChanges({ world, admin });

  const untilAnswered = (ask: () => Promise<Answered>): Promise<Answered> =>
    eventually(async () => {
      const answer = await ask();
      expect(answer.status).not.toBe(503);
      return answer;
    });

  type Moment = Parameters<typeof dyingAfter>[0];
  /** The first command after which a process dies, and how many later the next one does. */
  type Commands = { start?: number; stride?: number };
  /**
   * Lets processes die, two at a time: at the full level after each of their commands to the database, or after some of
   * these. `act` returns whether its process died. Returns what `prepare` created for them.
   */
  async function dieAtEach<T>(
    prepare: () => Promise<T>,
    act: (prepared: T, moment: Moment) => Promise<boolean>,
    { start = 0, stride = 1 }: Commands = {},
  ): Promise<T[]> {
    const all: T[] = [];
    for (let first = start; ; first += 2 * stride) {
      const moments = byLevel<Moment[]>({ quick: [4, 'commitTransaction'], full: [first, first + stride] });
      const pair: [T, Moment][] = [];
      for (const moment of moments) pair.push([await prepare(), moment]);
      const haveDied = await Promise.all(pair.map(([prepared, moment]) => act(prepared, moment)));
      all.push(...pair.map(([prepared]) => prepared));
      if (byLevel({ quick: false, full: haveDied.every(Boolean) })) continue;
      expect(all.length * stride).toBeGreaterThan(byLevel({ quick: 1, full: 6 }));
      if (byLevel({ quick: true, full: false })) expect(haveDied).toEqual([true, true]);
      return all;
    }
  }

  /** What moves money dies at the most commands. At the full level at few: each kill costs the start of an API. */
  const cases = byLevel<[keyof typeof requests, Commands][]>({
    quick: [['cancelling', {}]],
    full: [
      ['cancelling', { start: 2, stride: 3 }],
      ['redacting', { stride: 5 }],
      ['failing', { stride: 5 }],
    ],
    long: [
      ['cancelling', {}],
      ['rescheduling', { stride: 3 }],
      ['redacting', { stride: 3 }],
      ['failing', {}],
    ],
  });

  test.each(cases)(
    'the API dies %s: all or nothing is stored, and a retry completes it once',
    async (name, commands) => {
      const act = async ({ ask }: LetterRequest, moment: Moment) => {
        const [api] = await startApis(world, 1, dyingAfter(moment));
        const hasDied = await ask(api!).then(
          () => false,
          () => true,
        );
        api!.program.kill('SIGKILL');
        return hasDied;
      };
      const pending = await dieAtEach(requests[name], act, commands);
      expect(await findViolations()).toEqual([]);
      for (const { ask, expectOnce } of pending) await expectOnce(await untilAnswered(() => ask(survivor)));
      expect(await findViolations()).toEqual([]);
    },
  );

  test('a command that dies recording a return has recorded all of it or nothing, and a repeat completes it', async () => {
    const pending = await dieAtEach(aReturn, async ({ run }, moment) => (await run(dyingAfter(moment))) === 'SIGKILL');
    expect(await findViolations()).toEqual([]);
    for (const { run, expectOnce } of pending) {
      expect(await run()).toBe(0);
      await expectOnce();
    }
  });

  async function killDuring(seed: number): Promise<void> {
    const { random } = createRandom(seed);
    const { cancelling, rescheduling, redacting, failing } = requests;
    const wanted = [cancelling, cancelling, cancelling, rescheduling, redacting, failing, failing];
    const pending: LetterRequest[] = [];
    for (const create of wanted) pending.push(await create());
    const [api] = await startApis(world, 1);
    const killAfter = Math.floor(random() * wanted.length);
    const delayMs = random() * 12;
    let answers = 0;
    const answered = Promise.withResolvers<void>();
    const count = () => {
      answers += 1;
      if (answers > killAfter) answered.resolve();
    };
    // Each twice at once, as by two clients.
    const asked = [...pending, ...pending].map(({ ask }) => ask(api!).then(count, () => {}));
    if (killAfter > 0) await answered.promise;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    api!.program.kill('SIGKILL');
    await Promise.all(asked);
    expect(await findViolations()).toEqual([]);
    await Promise.all(
      pending.map(async ({ ask, expectOnce }) => await expectOnce(await untilAnswered(() => ask(survivor)))),
    );
    expect(await findViolations()).toEqual([]);
  }

  test('an API that is killed during many changes has made each of them once after the retries', async () => {
    for (const seed of seeds) {
      await killDuring(seed).catch((error: Error) => {
        throw new Error(`Run with SEED=${seed}: ${error.message}`, { cause: error });
      });
    }
  });
});

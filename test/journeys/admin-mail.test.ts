import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { aLetter } from '../support/builders.ts';
import { killStartedPrograms, startNode } from '../support/process-control.ts';
import { startWorld } from '../support/world.ts';

const entry = join(import.meta.dirname, '../../scripts/admin.ts');

describe('mail set-status', () => {
  const world = startWorld();
  afterEach(killStartedPrograms);

  /** Runs the command as an operator's shell does. */
  async function setStatus(words: string[], variables: Record<string, string> = {}) {
    const { mongo, redis, encryptionKeys } = world.config;
    const environment = {
      ...process.env,
      MONGODB_URI: mongo.url,
      QUEUE_PREFIX: redis.queuePrefix,
      ENCRYPTION_KEYS: encryptionKeys.join(','),
      ...variables,
    };
    const program = startNode([entry, 'mail', 'set-status', ...words, '--json'], { environment });
    return { code: await program.ended, output: program.output(), stdout: program.standardOutput() };
  }

  test('given a live letter, when it is printed and fails, then it moves, and the workers are told each time', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 100_000 });
    const { mailJobId } = (await customer.http.post('/v1/mails', await aLetter(customer))).body;
    const fanOut = world.hints.queues.find(({ name }) => name === 'fan-out');
    const countHints = async () => (await fanOut?.getWaitingCount()) ?? 0;
    const before = await countHints();

    const printed = await setStatus([mailJobId, 'printed']);
    expect(printed).toMatchObject({ code: 0, output: printed.stdout });
    expect(JSON.parse(printed.stdout)).toEqual({ mailJobId, previousStatus: 'queued', status: 'printed' });
    expect(await countHints()).toBe(before + 1);

    const failed = await setStatus([mailJobId, 'failed', '--reason', 'The paper is wet.']);
    expect(JSON.parse(failed.stdout)).toEqual({ mailJobId, previousStatus: 'printed', status: 'failed' });
    expect(await countHints()).toBe(before + 2);
    const failure = { code: 'DEPOSIT_FAILED', message: 'The paper is wet.' };
    expect((await customer.http.get(`/v1/mails/${mailJobId}`)).body).toMatchObject({ status: 'failed', failure });

    const again = await setStatus([mailJobId, 'posted']);
    expect(again).toEqual({ code: 1, stdout: '', output: 'A mail job that is failed cannot become posted.\n' });
  });

  test('given a Redis that is away, when the status of a live letter is set, then it is set all the same', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 100_000 });
    const { mailJobId } = (await customer.http.post('/v1/mails', await aLetter(customer))).body;
    const { code, stdout } = await setStatus([mailJobId, 'printed'], { REDIS_URL: 'redis://127.0.0.1:1' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'printed' });
  });
});

import { describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { aLetter } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

describe('a processor that throws', () => {
  const world = startWorld({ hasWorkers: true });
  const receiver = startReceiver();

  test('given a database that refuses one insert of the fan-out, when a letter is sent, then its event is delivered within 5 s all the same', async () => {
    // given
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const letter = await aLetter(customer);
    await failNextInsertInto('deliveries');
    // when
    const startedAt = Date.now();
    expect((await customer.http.post('/v1/mails', letter)).status).toBe(201);
    // then
    await eventually(() => expect(receiver.received).toHaveLength(1), { withinMs: 10_000 });
    expect((receiver.received[0]?.at ?? 0) - startedAt).toBeLessThan(5_000);
    expect(await timesFailed()).toBe(1);
  }, 30_000);

  /** Lets the server refuse the next insert into one collection of this world, with an error that nobody retries. */
  async function failNextInsertInto(collection: string): Promise<void> {
    await mongoose.connection
      .getClient()
      .db('admin')
      .command({
        configureFailPoint: 'failCommand',
        mode: { times: 1 },
        data: {
          failCommands: ['insert'],
          namespace: `${mongoose.connection.name}.${collection}`,
          errorCode: 13,
          appName: world.config.redis.queuePrefix,
        },
      });
  }

  async function timesFailed(): Promise<number> {
    const answer = await mongoose.connection
      .getClient()
      .db('admin')
      .command({ configureFailPoint: 'failCommand', mode: 'off' });
    return answer.count;
  }
});

import { describe, expect, test } from '@jest/globals';
import { betweenCommits, commitMailJob } from '../../common/mail-jobs/commit-mail-jobs.ts';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import type { MailOrder } from '../../common/mail-jobs/mail-order.ts';
import type { Answer } from '../support/client.ts';
import { expectInvariants } from '../support/invariants.ts';
import { aSender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

/** As many as may wait for a commit. */
const maxWaiting = 2_000;
/** What holds the commits up is waited for during a second only, which a slow machine may need for all else. */
const maxRounds = 5;

describe('more sends than may wait', () => {
  const world = startWorld();

  test('given a commit that is held up and 2,000 sends behind it, when one more comes, then 503 with Retry-After and nothing of it is done, and it is taken later', async () => {
    // given
    const sender = await aSender(world);
    const { organizationId, mode } = sender;
    const first = await sender.send({ externalId: 'first' });
    const job = await MailJob.findById(first.body.mailJobId).orFail().lean<MailJobRecord>();
    const request = (await sender.letter({ externalId: 'first' })) as MailOrder['request'];
    const repeat = { job, uploads: [], order: { request, idempotencyKey: null, owner: { organizationId, mode } } };
    // when
    let answer: Answer | undefined;
    for (let round = 0; round < maxRounds && answer?.status !== 503; round += 1) {
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      const holding = betweenCommits(() => held);
      const waiting = Array.from({ length: maxWaiting }, () => commitMailJob(repeat));
      answer = await sender.send({ externalId: `late-${round}` });
      letGo();
      await holding;
      const created = (await Promise.all(waiting)).map(({ created: { job: found, isNew } }) => `${found._id} ${isNew}`);
      expect(new Set(created)).toEqual(new Set([`${job._id} false`]));
    }
    // then
    expect([answer?.status, answer?.body.code, answer?.headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '1',
    ]);
    expect(await MailJob.exists({ organizationId, externalId: /^late-/ })).toBeNull();
    expect((await sender.send({ externalId: 'late-again' })).status).toBe(201);
    await expectInvariants();
  }, 60_000);
});

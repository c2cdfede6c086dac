import { setTimeout as sleep } from 'node:timers/promises';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { eventually, expect } from '../jest.ts';
import type { ApiProcess } from '../product/api-fleet.ts';
import { aRequestAddress, createClient, ledgerOf, type Sender } from '../product/customer.ts';

/** One letter of a lane: its name is that of its recipient, which no other letter has. */
type Sent = { name: string; api: number; statuses: number[]; mailJobId: string | undefined };

const lanes = 8;
/** At most 50 letters a second: enough for a commit in flight at any moment, and for half of a slow machine. */
const pauseMs = 120;
const retryMs = 200;

/**
 * Sends letters through each of the processes, as another customer, until stopped. Half of the lanes have an externalId
 * and repeat a 503 with it, as our guide tells clients. The others have none, and go on with the next letter.
 */
export async function startLetterLoad(apis: readonly ApiProcess[], senders: readonly Sender[]) {
  const entriesBefore = await countEntries(senders);
  const letters = await Promise.all(senders.map((sender) => sender.letter()));
  const sent: Sent[] = [];
  let isOver = false;

  async function send(lane: number, name: string): Promise<Sent> {
    const api = Math.floor(lane / 2) % apis.length;
    const client = createClient(apis[api]?.url ?? '', senders[api]?.key);
    const isRepeated = lane % 2 === 0;
    const body = { ...letters[api], recipients: [aRequestAddress({ name })], ...(isRepeated && { externalId: name }) };
    const statuses: number[] = [];
    for (;;) {
      const answer = await client.post('/v1/mails', body);
      statuses.push(answer.status);
      const isDone = answer.status !== 503 || !isRepeated;
      if (isDone) return { name, api, statuses, mailJobId: answer.body.mailJobId };
      await sleep(retryMs);
    }
  }
  const sending = Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let n = 0; !isOver; n += 1) {
        sent.push(await send(lane, `Lane ${lane} letter ${n}`));
        await sleep(pauseMs);
      }
    }),
  );
  const accepted = () => sent.filter(({ mailJobId }) => mailJobId !== undefined);

  return {
    /** Waits until each process has accepted this many further letters. */
    async untilAccepted(more: number): Promise<void> {
      const countOf = (api: number) => accepted().filter((each) => each.api === api).length;
      const before = apis.map((_, api) => countOf(api));
      const check = () => {
        for (const [api, count] of before.entries()) expect(countOf(api)).toBeGreaterThanOrEqual(count + more);
      };
      // A lane that has failed must not be waited for.
      await Promise.race([eventually(check), sending]);
    },
    /**
     * Stops sending, and checks each answer against what is stored: `expectInvariants` checks that what is stored was paid
     * once. Returns the ids of the letters.
     */
    async expectTruth(): Promise<string[]> {
      isOver = true;
      await sending;
      const organizationId = { $in: senders.map((sender) => sender.organizationId) };
      const jobs = await MailJob.find({ organizationId }).lean<MailJobRecord[]>();
      const stored = jobs.map(({ _id, items }) => [items[0]?.name, _id]).sort();
      expect(stored).toEqual(
        accepted()
          .map(({ name, mailJobId }) => [name, mailJobId])
          .sort(),
      );
      // A 503 stored nothing: its repetition is a new letter, not one that exists.
      const answers = new Set(sent.map(({ statuses }) => [...new Set(statuses)].join(' then ')));
      expect([...answers].filter((each) => !['201', '503', '503 then 201'].includes(each))).toEqual([]);
      expect(await countEntries(senders)).toBe(entriesBefore + jobs.length);
      return jobs.map(({ _id }) => _id);
    },
    /** Returns how many requests were answered with 503. */
    refusals: () => sent.flatMap(({ statuses }) => statuses).filter((status) => status === 503).length,
  };
}

async function countEntries(senders: readonly Sender[]): Promise<number> {
  const ledgers = await Promise.all(senders.map((sender) => ledgerOf(sender)));
  return ledgers.flat().length;
}

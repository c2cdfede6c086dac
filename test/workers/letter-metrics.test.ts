// Level: push
import { Registry } from 'prom-client';
import { plusMs } from '#common/clock.ts';
import { Event, type EventRecord } from '#common/events/event.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { setLetterStatus } from '#common/production/operator/set-letter-status.ts';
import { sandboxPrefix } from '#common/sandbox/steps/sandbox-outcomes.ts';
import { createLetterMetrics } from '#workers/process/letter-metrics.ts';
import { describe, expect, test } from '../support/jest.ts';
import { aRequestAddress } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';

describe('the time until a letter is printed', () => {
  const world = startWorld();

  async function observe(events: readonly EventRecord[], stepDelayS = 10) {
    const registry = new Registry();
    createLetterMetrics(registry, { stepDelayS, pauseS: 600 }).observePrinted(events);
    const text = await registry.metrics();
    const read = (name: string) => Number(new RegExp(`^letter_printed_seconds_${name} (.+)$`, 'm').exec(text)?.[1]);
    return (mode: string) => [read(`count{mode="${mode}"}`), read(`sum{mode="${mode}"}`)];
  }
  const eventsOf = async (mailJobId: string) =>
    await Event.find({ subjectId: mailJobId }).sort({ kind: -1 }).lean<EventRecord[]>();
  const readJob = async (mailJobId: string) => await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();

  test('a live letter counts from the closing of its batch, whoever reports it', async () => {
    const sender = await world.customer({ mode: 'live', balanceCents: 1_000 });
    const mailJobId = await sender.sendAccepted({ sender: aRequestAddress() });
    await setLetterStatus({ mailJobId, target: 'printed' }, { hints: world.hints, at: world.clock.now() });
    const { closesAt } = await readJob(mailJobId);
    const events = await eventsOf(mailJobId);
    expect(events.map(({ kind, printableAt }) => [kind, printableAt])).toEqual([
      ['MAIL_QUEUED', undefined],
      ['MAIL_PRINTED', closesAt],
    ]);
    const late = events.map((event) => ({ ...event, at: plusMs(closesAt, 4_000_000) }));
    expect((await observe(late))('live')).toEqual([1, 4_000]);
    // Printed before its batch would have closed.
    expect((await observe(events))('live')).toEqual([1, 0]);
  });

  test('a test letter counts beyond the delay of its step, not at all when sent to be slow', async () => {
    const sender = await world.customer();
    const [usual, slow] = [
      await sender.sendAccepted(),
      await sender.sendAccepted({ recipients: [aRequestAddress({ line1: `${sandboxPrefix}slow` })] }),
    ];
    for (const mailJobId of [usual, slow]) {
      expect((await sender.http.post(`/v1/mails/${mailJobId}/simulate`)).status).toBe(200);
    }
    const { createdAt } = await readJob(usual);
    const events = [...(await eventsOf(usual)), ...(await eventsOf(slow))];
    const late = events.map((event) => ({ ...event, at: plusMs(createdAt, 25_000) }));
    expect((await observe(late))('test')).toEqual([1, 15]);
    expect((await observe(late))('live')).toEqual([0, 0]);
  });
});

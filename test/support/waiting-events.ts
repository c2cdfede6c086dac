import { Registry } from 'prom-client';
import type { Clock } from '../../common/clock.ts';
import { newId } from '../../common/ids.ts';
import type { Owner } from '../../common/modes.ts';
import { claimDue, newDue } from '../../common/platform/due-work.ts';
import { createLog } from '../../common/platform/log.ts';
import { targetRules } from '../../common/webhooks/address-rules.ts';
import { createAttemptRecorder } from '../../common/webhooks/attempt-recorder.ts';
import { createWebhook } from '../../common/webhooks/create-webhook.ts';
import { createDeliveryMetrics } from '../../common/webhooks/delivery-metrics.ts';
import { deliveryWork, type EndpointRecord } from '../../common/webhooks/endpoint.model.ts';
import { Event, type EventRecord } from '../../common/webhooks/event.model.ts';
import { fanOutDue } from '../../common/webhooks/fan-out-due.ts';
import { createWebhookSender, type SenderOptions } from '../../common/webhooks/post-signed.ts';
import type { Attempt } from '../../common/webhooks/record-attempts.ts';
import { sendDueDeliveries } from '../../common/webhooks/send-due-deliveries.ts';
import type { World } from './world.ts';

/** An owner of webhooks and events, of whom nothing else is needed. */
export const anOwner = (): Owner => ({ organizationId: newId('org'), mode: 'test' });

/** A webhook for MAIL_QUEUED, whatever its address; returns its id, which is its endpoint's too. */
export async function aWebhookAt(world: World, owner: Owner, url: string): Promise<string> {
  const { keyRing, clock } = world;
  const deps = { keyRing, checkTargetUrl: async () => [], maxActiveWebhooks: 100 };
  const { organizationId, mode } = owner;
  const request = { url, events: ['MAIL_QUEUED' as const] };
  const { record } = await createWebhook({ organizationId, mode }, request, deps, clock.now());
  return record._id;
}

export type EventFields = Partial<Pick<EventRecord, 'webhookUrl' | 'body' | 'at'>>;

/** Events of letters that nobody has sent, due now: as many as a test wants, at the cost of one insert. */
export async function storeEvents(owner: Owner, count: number, at: Date, fields: EventFields = {}): Promise<string[]> {
  const { organizationId, mode } = owner;
  const events = Array.from({ length: count }, (): EventRecord => {
    const subjectId = newId('mj');
    const body = JSON.stringify({ event: 'MAIL_QUEUED', mailJobId: subjectId, externalId: null, status: 'queued' });
    const what = { kind: 'MAIL_QUEUED' as const, subjectId, body, webhookUrl: null, at, ...fields };
    return { _id: newId('evt'), organizationId, mode, ...what, fannedOutAt: null, due: newDue(at) };
  });
  await Event.insertMany(events);
  return events.map(({ subjectId }) => subjectId);
}

export type HandTurn = { closing?: AbortSignal; afterRecord?: (attempt: Attempt) => Promise<void> };

const never = new AbortController().signal;

/** The senders' side, moved by hand and by a clock of the test's own, over real sockets. */
export function handSender(world: World, clock: Clock, options: SenderOptions = {}) {
  const registry = new Registry();
  const metrics = createDeliveryMetrics(registry, clock);
  const rules = targetRules({ allowLoopback: true, allowCidrs: [], ports: [443] });
  const sender = createWebhookSender(rules, options);
  const recording = { clock, metrics, random: () => 0, log: createLog('test', 'fatal') };
  const deps = { ...recording, sender, keyRing: world.keyRing, recorder: createAttemptRecorder(recording) };
  const told: string[] = [];
  return {
    metrics,
    told,
    /** The value of a metric that has no labels, or of the one row that has these. */
    async read(name: string, labels: Record<string, string> = {}): Promise<number> {
      const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
      const isWanted = (row: { labels: object }) =>
        Object.entries(labels).every(([key, value]) => (row.labels as Record<string, unknown>)[key] === value);
      return values.find(isWanted)?.value ?? 0;
    },
    async fanOut(): Promise<void> {
      while (await fanOutDue({ ...deps, tell: (ids) => void told.push(...ids) }));
    },
    /**
     * One turn of an endpoint; false when it is not due or somebody has it. `afterRecord` comes before the next post.
     */
    async send(endpointId: string, { closing = never, afterRecord }: HandTurn = {}) {
      const claim = await claimDue<EndpointRecord>(deliveryWork, endpointId, clock.now());
      const { recorder } = deps;
      const record = async (attempt: Attempt) => {
        await recorder.record(attempt);
        await afterRecord?.(attempt);
      };
      if (claim) await sendDueDeliveries(claim, { ...deps, recorder: { record } }, { closing, signal: never });
      return claim !== null;
    },
    close: () => sender.close(),
  };
}

export type HandSender = ReturnType<typeof handSender>;

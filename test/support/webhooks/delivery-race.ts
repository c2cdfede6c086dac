import { Registry } from 'prom-client';
import { AppError } from '#common/errors.ts';
import { fanOutWork } from '#common/events/event.model.ts';
import { pingWebhook } from '#common/mail-jobs/events/ping-webhook.ts';
import { claimDue, type DueSlot, leaseMs } from '#common/platform/due-work/due-work.ts';
import { noPauses } from '#common/platform/due-work/pauses.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { createLog } from '#common/platform/process/log.ts';
import { changeWebhook } from '#common/webhooks/console/change-webhook.ts';
import { deleteWebhook } from '#common/webhooks/console/delete-webhook.ts';
import { redeliver } from '#common/webhooks/console/redeliver.ts';
import { rotateSecret } from '#common/webhooks/console/rotate-secret.ts';
import { createAttemptRecorder } from '#common/webhooks/deliveries/attempt-recorder.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { createDeliveryMetrics } from '#common/webhooks/deliveries/delivery-metrics.ts';
import { recheckAfterMs, type WebhookClient } from '#common/webhooks/egress/webhook-client.ts';
import { deliveryWork, Endpoint, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { fanOutDue } from '#common/webhooks/fan-out/fan-out-due.ts';
import { sendDueDeliveries } from '#common/webhooks/sending/send-due-deliveries.ts';
import type { StandingClock } from '../jest.ts';
import type { World } from '../product/world.ts';
import { createRacingProcesses, type Fault, type RacingProcess } from '../races/racing-processes.ts';
import type { Schedule } from '../races/schedule.ts';
import { anOwner, aWebhookAt, storeEvents } from './webhook-scene.ts';

/** A request that the receiver got. `at` counts the posts and the changes of a race in their order. */
export type Post = {
  by: RacingProcess;
  at: number;
  deliveryId: string;
  attempt: number;
  status: number;
  headers: Readonly<Record<string, string>>;
  raw: string;
};

export type ChangeKind = 'disable' | 'enable' | 'delete' | 'rotate' | 'redeliver' | 'ping';

/** A change that was answered with success, and its answer. `from` is the moment of the request. */
export type Change = { kind: ChangeKind; from: number; answeredAt: number; answer: unknown };

export type DeliveryRace = Awaited<ReturnType<typeof createDeliveryRace>>;

/** What the customer does one after the other, and what their support does meanwhile. */
const scripts: Record<'customer' | 'support', readonly (readonly ChangeKind[])[]> = {
  customer: [[], [], ['disable'], ['delete'], ['rotate'], ['disable', 'enable'], ['disable', 'enable', 'redeliver']],
  support: [[], [], ['ping'], ['redeliver'], ['redeliver', 'redeliver']],
};

/** Where faults strike, up to the `last` such step: anywhere, before a write or a post, or before an endpoint changes. */
const weakSpots = [
  { before: /./, last: 24 },
  { before: /^(update|insert|findAndModify|connects|answers)/, last: 16 },
  { before: /^update endpoints/, last: 1 },
];

const never = new AbortController().signal;
const maxSessions = 40;
const lapsed = { $set: { 'due.leaseUntil': new Date(0) } };

/**
 * Creates a webhook with deliveries due, and a race for them. Worker B starts when the fault of worker A strikes, and C
 * when that of B does. Fan-outs, the customer and their support start at one of these moments or at once.
 */
export async function createDeliveryRace(schedule: Schedule, world: World, clock: StandingClock) {
  const { random } = schedule;
  const below = (end: number) => Math.floor(random() * end);
  /** Returns a number from 1 to `last`, more often a small one. */
  const early = (last: number) => 1 + Math.floor(last * random() ** 2);
  const oneOf = <T>(list: readonly T[]) => list[below(list.length)] as T;
  const customer = anOwner();
  const webhookId = await aWebhookAt(world, customer, 'http://receiver.test/hook');
  const metrics = createDeliveryMetrics(new Registry());
  // Without reads of its own: the schedule orders every command.
  const pauses = { read: async () => noPauses, latest: () => noPauses };
  const deps = { clock, log: createLog('test', 'fatal'), random: () => 0, metrics, keyRing: world.keyRing, pauses };
  const { step, idle, create, race } = createRacingProcesses(schedule, clock);
  const posts: Post[] = [];
  const changes: Change[] = [];
  let successShare = oneOf([0.2, 0.5, 0.8, 1]);
  let moments = 0;
  const moment = () => {
    moments += 1;
    return moments;
  };

  /** The network and the receiver. A post waits for a connection, and later for its answer. */
  const clientOf = (by: RacingProcess): WebhookClient => ({
    async post({ headers, body, beforeWrite }) {
      const deliveryId = headers['X-Service-Delivery'] as string;
      let checkedAtMs = performance.now();
      await step('connects', () => {});
      while (beforeWrite && performance.now() - checkedAtMs > recheckAfterMs) {
        const isWanted = await beforeWrite().catch(() => null);
        checkedAtMs = performance.now();
        const errorClass = isWanted === null ? 'stopped' : 'cancelled';
        if (!isWanted) return { outcome: 'error', errorClass, message: '', durationMs: 0, remoteIp: null };
      }
      const status = random() < successShare ? 200 : 500;
      const at = moment();
      posts.push({
        by,
        at,
        deliveryId,
        attempt: Number(headers['X-Service-Attempt']),
        status,
        headers,
        raw: String(body),
      });
      schedule.order.push(`${by.name}: attempt ${headers['X-Service-Attempt']} of ${deliveryId} arrives at ${at}`);
      await step('answers', () => {});
      return { outcome: 'answered', status, retryAfter: null, head: '', durationMs: 0, remoteIp: null };
    },
    close: async () => {},
  });

  /** Runs one session of the endpoint. Returns false when it is not due or another worker has its lease. */
  async function send(by: RacingProcess): Promise<boolean> {
    const claim = await claimDue<EndpointRecord>(deliveryWork, webhookId, clock.now());
    if (!claim) return false;
    by.expireLease = () => expireLeases(deliveryWork, { _id: webhookId, 'due.leaseToken': claim.token });
    const sessionDeps = { ...deps, webhookClient: clientOf(by), recorder: createAttemptRecorder(deps) };
    await sendDueDeliveries(claim, sessionDeps, { closing: never, signal: never });
    return true;
  }
  async function expireLeases({ collection }: DueSlot, rows: object): Promise<boolean> {
    const { matchedCount } = await rowsOf(collection).updateMany({ 'due.leaseToken': { $ne: null }, ...rows }, lapsed);
    return matchedCount > 0;
  }
  const expireFanOuts = () => expireLeases(fanOutWork, { organizationId: customer.organizationId });
  const fanOut = async () => {
    while (await fanOutDue({ ...deps, hint: () => {} }));
  };

  const hints = { ...world.hints, notify: () => {} };
  const quota = { checkTargetUrl: async () => [], maxActiveWebhooks: 100 };
  const acts: Record<ChangeKind, () => Promise<unknown>> = {
    disable: () => changeWebhook(customer, webhookId, { status: 'disabled' }, quota, clock.now()),
    enable: () => changeWebhook(customer, webhookId, { status: 'active' }, quota, clock.now()),
    delete: () => deleteWebhook(customer, webhookId, clock.now()),
    rotate: () => rotateSecret(customer, webhookId, 0, world, clock.now()),
    redeliver: () => redeliver(customer, webhookId, oneOf(storedBefore), { hints }, clock.now()),
    ping: () => pingWebhook(customer, webhookId, { hints }, clock.now()),
  };
  async function play(kinds: readonly ChangeKind[]): Promise<void> {
    for (const kind of kinds) {
      const from = moment();
      try {
        const answer = await acts[kind]();
        changes.push({ kind, from, answeredAt: moment(), answer });
        schedule.order.push(`${kind} of ${from} is answered at ${moments}`);
      } catch (error) {
        // Refused, with nothing changed.
        if (!(error instanceof AppError)) throw error;
      }
    }
  }

  await storeEvents(customer, 1 + below(2), clock.now());
  await fanOut();
  const storedBefore = (await Delivery.find({ webhookId }).lean<DeliveryRecord[]>()).map(({ _id }) => _id);
  await storeEvents(customer, below(3), clock.now());

  return {
    webhookId,
    organizationId: customer.organizationId,
    /** Ids of the deliveries that were due before the race. */
    storedBefore,
    posts,
    changes,
    /** Runs all actors until they end, then fans out the events that they left. */
    async run(): Promise<void> {
      const aFault = (share: number): Fault | null => {
        const kind = oneOf(['lapse', 'lapse', 'pause', 'pause', 'death'] as const);
        // A lease lapses because its time has passed.
        const forMs = kind === 'pause' ? oneOf([0, 700, 1_500]) : leaseMs;
        const fault = { kind, ...oneOf(weakSpots), forSteps: early(50), forMs };
        return random() < share ? { ...fault, nth: early(fault.last) } : null;
      };
      const a = create('worker A', aFault(1));
      const b = create('worker B', aFault(0.6));
      const from = [Promise.resolve(), a.struck, b.struck];
      const worker = (process: RacingProcess, start: Promise<void>) => () =>
        process.run(async () => {
          await idle(start);
          if ((await send(process)) || process === a) return;
          // Another worker has the lease: tries again when that may have lapsed.
          await idle(a.ended);
          clock.advance(leaseMs);
          await send(process);
        });
      const fanOuts = (process: RacingProcess, start = oneOf(from)) => {
        process.expireLease = expireFanOuts;
        return () => process.run(() => idle(start).then(fanOut));
      };
      const people =
        (kinds: readonly ChangeKind[], start = oneOf(from)) =>
        () =>
          idle(start).then(() => play(kinds));
      await race({
        'worker A': worker(a, Promise.resolve()),
        'worker B': worker(b, a.struck),
        'worker C': worker(create('worker C'), b.struck),
        'fan-out A': fanOuts(create('fan-out A', aFault(0.5))),
        'fan-out B': fanOuts(create('fan-out B')),
        customer: people(oneOf(scripts.customer)),
        support: people(oneOf(scripts.support)),
      });
      // What dead processes held is done by others when their leases have lapsed.
      await expireFanOuts();
      await fanOut();
    },
    /** Sends, with success, until nothing is due. */
    async drain(): Promise<void> {
      successShare = 1;
      for (let sessions = 0; sessions < maxSessions; sessions += 1) {
        await expireLeases(deliveryWork, { _id: webhookId });
        const { due } = await Endpoint.findById(webhookId).orFail().lean<EndpointRecord>();
        if (!due) return;
        if (due.at > clock.now()) clock.set(due.at);
        await send(create('drain'));
      }
      throw new Error('There is no end to the sessions');
    },
  };
}

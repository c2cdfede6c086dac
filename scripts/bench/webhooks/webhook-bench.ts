import type { Config } from '#common/config/config.ts';
import { Event, type EventKind, type EventRecord } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { createKeyRing } from '#common/secrets.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import type { BenchProcess, BenchService } from '../bench-service.ts';
import { type Goal, judge } from '../goal-table.ts';
import { print } from '../measure.ts';
import { type BenchAccount, openBenchAccount } from '../open-bench-account.ts';
import type { WebhookReceivers } from './webhook-receivers.ts';

export type WebhookBench = {
  service: BenchService;
  config: Config;
  receivers: WebhookReceivers;
  workers: BenchProcess;
  notify(): void;
};

/** The database of the benchmark. */
export const database = 'webhooks';

/** Variables of the API and the workers: receivers on this machine, and letters that stay queued. */
export const variables = { LOG_LEVEL: 'error', WEBHOOK_ALLOW_LOOPBACK: 'true', SANDBOX_STEP_DELAY_S: '100000' };

/** Opens an organization with one webhook for these events at the receiver of this name. */
export async function openCustomer(
  { config, receivers }: Pick<WebhookBench, 'config' | 'receivers'>,
  name: string,
  events: EventKind[] = ['MAIL_QUEUED'],
): Promise<BenchAccount> {
  const account = await openBenchAccount(config, 'test');
  const keyRing = createKeyRing(config.encryptionKeys);
  const request = { url: receivers.url(name), events };
  const deps = { keyRing, checkTargetUrl: async () => [], maxActiveWebhooks: config.webhooks.maxActive };
  await createWebhook(account.owner, request, deps, new Date());
  return account;
}

export async function storeEvents(customers: readonly BenchAccount[], count: number): Promise<void> {
  const at = new Date();
  const events = Array.from({ length: count }, (_, index): EventRecord => {
    const mailJobId = newId('mj');
    const { owner } = customers[index % customers.length] as BenchAccount;
    const payload = { event: 'MAIL_QUEUED', mailJobId, externalId: `bench-${index}`, status: 'queued', queuedAt: at };
    const what = { kind: 'MAIL_QUEUED' as const, subjectId: mailJobId, body: JSON.stringify(payload) };
    return { _id: newId('evt'), ...owner, ...what, webhookUrl: null, at, fannedOutAt: null, due: newDue(at) };
  });
  await Event.collection.insertMany(events as never[]);
}

const withinMs = 60_000;

export async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  if (await pollUntil(isDone, { everyMs: 20, withinMs })) return;
  throw new Error(`The deliveries did not arrive within ${withinMs / 1_000} s.`);
}

/** Prints one line of the table: a figure and, if it has one, its goal and whether the goal is reached. */
export function printFigure(what: string, value: number, digits: number, goal?: Goal): void {
  const bound = goal && ('atMost' in goal ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`);
  const verdict = goal ? `  ${bound?.padEnd(8)} ${judge(value, goal)}` : '';
  print(`${what.padEnd(66)} ${value.toFixed(digits).padStart(8)}${verdict}`);
}

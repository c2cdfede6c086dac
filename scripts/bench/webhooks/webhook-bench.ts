import { Event, type EventRecord } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { createKeyRing } from '#common/secrets.ts';
import { openAccount } from '#common/wallet/open-account.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import type { Measured, Product } from '../start-product.ts';
import type { WebhookReceivers } from './webhook-receivers.ts';

export type WebhookBench = { product: Product; receivers: WebhookReceivers; workers: Measured; notify(): void };

const address = { name: 'Bench', line1: 'Rue Haute 1', line2: null, zip: '1000', city: 'Bruxelles', country: 'BE' };

/** Opens an organization with one webhook at the receiver of this name, and returns its id. */
export async function openCustomer({ product, receivers }: WebhookBench, name: string): Promise<string> {
  const keyRing = createKeyRing(product.config.encryptionKeys);
  const { _id: organizationId } = await openAccount({ name, address }, keyRing, new Date());
  const request = { url: receivers.url(name), events: ['MAIL_QUEUED' as const] };
  const deps = { keyRing, checkTargetUrl: async () => [], maxActiveWebhooks: product.config.webhooks.maxActive };
  await createWebhook({ organizationId, mode: 'test' }, request, deps, new Date());
  return organizationId;
}

export async function storeEvents(organizationIds: readonly string[], count: number): Promise<void> {
  const at = new Date();
  const events = Array.from({ length: count }, (_, index): EventRecord => {
    const mailJobId = newId('mj');
    const organizationId = organizationIds[index % organizationIds.length] ?? '';
    const payload = { event: 'MAIL_QUEUED', mailJobId, externalId: `bench-${index}`, status: 'queued', queuedAt: at };
    const owner = { organizationId, mode: 'test' as const };
    const what = { kind: 'MAIL_QUEUED' as const, subjectId: mailJobId, body: JSON.stringify(payload) };
    return { _id: newId('evt'), ...owner, ...what, webhookUrl: null, at, fannedOutAt: null, due: newDue(at) };
  });
  await Event.collection.insertMany(events as never[]);
}

export async function until(isDone: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const endsAt = performance.now() + withinMs;
  while (!(await isDone())) {
    if (performance.now() > endsAt) throw new Error(`The deliveries did not arrive within ${withinMs / 1_000} s.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Prints one line of the table: a figure, its goal, and whether the goal is reached. */
export function print(what: string, figure: string, goal: string, isReached?: boolean): void {
  const verdict = isReached === undefined ? '' : isReached ? 'reached' : 'MISSED';
  process.stdout.write(`${what.padEnd(66)} ${figure.padStart(8)}  ${goal.padEnd(8)} ${verdict}\n`);
}

import type { Owner } from '../modes.ts';
import type { Hints } from '../platform/queues.ts';
import { wakeEndpoints } from './wake-endpoints.ts';

/** Makes a webhook due for a delivery that its owner has asked for, and tells the workers. */
export async function wakeWebhook(owner: Owner, webhookId: string, hints: Hints, at: Date): Promise<void> {
  const { organizationId, mode } = owner;
  const told = await wakeEndpoints([{ organizationId, mode, endpointId: webhookId, webhookId }], at);
  if (told.length > 0) hints.nudge('webhook-delivery', told);
}

import type { Owner } from '../modes.ts';
import type { Hints } from '../platform/queues.ts';
import { wakeEndpoint } from './fan-out.ts';

/** Makes a webhook due for a delivery that its owner has asked for, and tells the workers. */
export async function wakeWebhook(owner: Owner, webhookId: string, hints: Hints, at: Date): Promise<void> {
  if (await wakeEndpoint(owner, { endpointId: webhookId, webhookId }, at)) hints.nudge('webhook-delivery', [webhookId]);
}

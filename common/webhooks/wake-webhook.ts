import type { Owner } from '../modes.ts';
import type { Hints } from '../platform/queues.ts';
import { wakeEndpoints } from './wake-endpoints.ts';

/**
 * Makes a webhook due for a delivery that its owner has asked for, null for several, and tells the workers. When it is
 * paused, that delivery is tried at once, alone: what comes of it decides whether the pause goes on.
 */
export async function wakeWebhook(
  owner: Owner,
  webhookId: string,
  deliveryId: string | null,
  hints: Hints,
  at: Date,
): Promise<void> {
  const { organizationId, mode } = owner;
  const wanted = { organizationId, mode, endpointId: webhookId, webhookId, asked: { deliveryId } };
  const told = await wakeEndpoints([wanted], at);
  if (told.length > 0) hints.nudge('webhook-delivery', told);
}

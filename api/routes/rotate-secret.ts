import { z } from 'zod';
import { rotateSecret } from '../../common/webhooks/rotate-secret.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';
import { exampleSecret, webhookPath } from '../webhook-examples.ts';

const overlapHours = z.int().min(0).max(24).nullish().describe('How long the old secret signs beside the new one; 0.');
const previousSecretUntil = z.iso.datetime().nullable().describe('When the old secret ends; null when it has ended.');

/** Gives a webhook a new secret, which is in this answer alone. */
export const rotateSecretRoute = defineRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/rotate-secret',
  scope: 'webhooks',
  operationId: 'rotateWebhookSecret',
  summary: 'Change the signing secret of a webhook',
  description: `The new secret is in this answer alone. During the overlap each delivery is signed by both: two \`v1=\` in
\`X-Service-Signature\`, the new one first, and two signatures in \`webhook-signature\`. At most two secrets are alive: to
rotate again during an overlap ends the oldest at once.`,
  params: pathId('wh'),
  body: z.strictObject({ overlapHours }).meta({ id: 'SecretRotationRequest' }).default({}),
  responses: { 200: z.object({ id: z.string(), secret: z.string(), previousSecretUntil }) },
  errors: ['NOT_FOUND'],
  example: {
    params: webhookPath,
    body: { overlapHours: 24 },
    responses: { 200: { ...webhookPath, secret: exampleSecret, previousSecretUntil: '2026-03-03T09:30:00.000Z' } },
  },

  async handle({ params, body, credential, now }, services) {
    const rotation = await rotateSecret(credential, params.id, body.overlapHours ?? 0, services, now);
    return reply(200, { id: params.id, ...rotation });
  },
});

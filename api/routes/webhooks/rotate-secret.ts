import { z } from 'zod';
import { exampleSecret, webhookPath } from '#api/openapi/examples/webhook-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { rotateSecret } from '#common/webhooks/console/rotate-secret.ts';
import { readWebhook } from '#common/webhooks/registry/read-webhooks.ts';
import { noSecret, noSecretFields } from './create-webhook.ts';

const overlapHours = z
  .int()
  .min(0)
  .max(24)
  .nullish()
  .describe('Hours during which requests are also signed with the old secret. Default: 0.');
const previousSecretUntil = z.iso
  .datetime()
  .nullable()
  .describe('Time until which the old secret is used. `null` if it is no longer used.');

export const rotateSecretRoute = defineRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/rotate-secret',
  scope: 'webhooks',
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the signing secret of a webhook',
  description: `Only this response contains the new secret. During the overlap, each delivery is signed with both secrets: two \`v1=\` in
\`X-Service-Signature\`, the new one first, and two signatures in \`webhook-signature\`. At most two secrets are valid: if you
rotate again during an overlap, the oldest secret stops working immediately.`,
  params: pathId('wh'),
  body: z.strictObject({ overlapHours }).meta({ id: 'SecretRotationRequest' }).default({}),
  responses: {
    200: z.union([
      z.object({ id: z.string(), secret: z.string(), previousSecretUntil }),
      z.object({ id: z.string(), previousSecretUntil, ...noSecretFields }),
    ]),
  },
  errors: ['NOT_FOUND'],
  example: {
    params: webhookPath,
    body: { overlapHours: 24 },
    responses: { 200: { ...webhookPath, secret: exampleSecret, previousSecretUntil: '2026-03-03T09:30:00.000Z' } },
  },
  repeat: async ({ params, credential }) => {
    const { previousSecret } = await readWebhook(credential, params.id);
    return { id: params.id, previousSecretUntil: previousSecret?.until.toISOString() ?? null, ...noSecret };
  },

  async handle({ params, body, credential, now, claim }, services) {
    const hours = body.overlapHours ?? 0;
    const rotation = await rotateSecret(credential, params.id, hours, services, now, credential.actor, claim);
    return reply(200, { id: params.id, ...rotation });
  },
});

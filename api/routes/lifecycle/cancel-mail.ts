import { z } from 'zod';
import { aCancelledJob } from '#api/openapi/examples/letter-examples.ts';
import { mailJobPath } from '#api/openapi/examples/shared-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { cancelMailJob } from '#common/mail-jobs/lifecycle/cancel-mail-job.ts';
import { detailFields, toMailDetail } from '#common/mail-jobs/views/mail-job.view.ts';

const Refund = z
  .object({ itemId: z.string(), transactionId: z.string(), amountCents: z.int() })
  .meta({ id: 'ItemRefund', description: 'The refund of one copy, and its entry in the ledger.' });

export const cancelMail = defineRoute({
  method: 'post',
  path: '/v1/mails/{id}/cancel',
  scope: 'send',
  operationId: 'cancelMail',
  summary: 'Cancel a letter',
  description:
    'The letter fails with `CANCELLED` and is refunded in full. Possible until `cancellableUntil`: while no copy is printed, and for a live letter until its batch closes; `NOT_CANCELLABLE` afterwards. A second call answers the same.',
  params: pathId('mj'),
  body: z
    .strictObject({
      reason: lineOfText(255)
        .nullish()
        .describe('Kept as the message of `failure` until the letter is redacted. It must not name a person.'),
    })
    .meta({ id: 'CancelRequest' })
    .default({}),
  responses: { 200: z.object({ ...detailFields, refunds: z.array(Refund) }).meta({ id: 'CancelledMailJob' }) },
  errors: ['NOT_FOUND', 'NOT_CANCELLABLE', 'SERVICE_UNAVAILABLE'],
  example: { params: mailJobPath, body: {}, responses: { 200: aCancelledJob } },
  repeat: 'rerun',

  async handle({ params, body, credential, now }, services) {
    const request = { mailJobId: params.id, reason: body.reason ?? undefined };
    const { job, refunds } = await cancelMailJob(credential, request, services, now);
    return reply(200, { ...toMailDetail(job, { ...credential, at: now }), refunds });
  },
});

import { MailReceipt } from '../../common/mail-jobs/mail-job.view.ts';
import { MailRequest } from '../../common/mail-jobs/mail-request.schema.ts';
import { takeMailOrder } from '../../common/mail-jobs/take-mail-order.ts';
import { aNewReceipt, aRepeatReceipt, mailJobRequest } from '../examples.ts';
import { idempotencyKeyHeader } from '../idempotency-key.ts';
import { defineRoute, reply } from '../route.ts';

/** Sends a letter: 201 when it was taken and paid, 200 for a repeat or a dry run. */
export const createMail = defineRoute({
  method: 'post',
  path: '/v1/mails',
  scope: 'send',
  operationId: 'createMail',
  summary: 'Send a letter',
  description:
    'The wallet is debited at once. A repeat with the same `externalId` is answered with the first job, whatever else the body says, and debits nothing; callers without one may send an `Idempotency-Key`. With `dryRun` everything is checked and priced, and nothing happens.',
  headers: idempotencyKeyHeader('For callers without an `externalId`; ignored beside one.'),
  body: MailRequest,
  responses: { 201: MailReceipt, 200: MailReceipt },
  meanings: { 201: 'Taken and paid.', 200: 'There already, as it stands now; or the result of a dry run.' },
  errors: ['INSUFFICIENT_FUNDS', 'PRICE_CHANGED', 'IDEMPOTENCY_MISMATCH', 'PRICING_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
  example: { body: mailJobRequest, responses: { 201: aNewReceipt, 200: aRepeatReceipt } },

  async handle({ body, headers, credential, requestId, now }, services) {
    const order = { request: body, idempotencyKey: headers['idempotency-key'] ?? null, owner: credential, requestId };
    const { receipt, isNew } = await takeMailOrder(order, services, now);
    return isNew ? reply(201, receipt) : reply(200, receipt);
  },
});

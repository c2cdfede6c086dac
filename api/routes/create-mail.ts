import { z } from 'zod';
import { MailReceipt } from '../../common/mail-jobs/mail-job.view.ts';
import { MailRequest } from '../../common/mail-jobs/mail-request.schema.ts';
import { takeMailOrder } from '../../common/mail-jobs/take-mail-order.ts';
import { lineOfText } from '../../common/text.schema.ts';
import { defineRoute, reply } from '../route.ts';

/** Sends a letter: 201 when it was taken and paid, 200 for a repeat or a dry run. */
export const createMail = defineRoute({
  method: 'post',
  path: '/v1/mails',
  scope: 'send',
  summary: 'Send a letter',
  headers: z.object({ 'idempotency-key': lineOfText(255).optional() }),
  body: MailRequest,
  responses: { 201: MailReceipt, 200: MailReceipt },
  errors: ['INSUFFICIENT_FUNDS', 'PRICE_CHANGED', 'IDEMPOTENCY_MISMATCH', 'PRICING_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],

  async handle({ body, headers, credential, now }, services) {
    const order = { request: body, idempotencyKey: headers['idempotency-key'] ?? null, owner: credential };
    const { receipt, isNew } = await takeMailOrder(order, services, now);
    return isNew ? reply(201, receipt) : reply(200, receipt);
  },
});

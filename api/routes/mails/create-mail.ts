import { aNewReceipt, aRepeatReceipt, mailJobRequest } from '#api/openapi/examples/letter-examples.ts';
import { idempotencyKeyHeader } from '#api/requests/idempotency-key-header.ts';
import { defineRoute, reply } from '#api/route.ts';
import type { CreateDeps } from '#common/mail-jobs/create/create-mail-job.ts';
import { handleSendRequest } from '#common/mail-jobs/create/handle-send-request.ts';
import { MailRequest } from '#common/mail-jobs/model/mail-request.schema.ts';
import { AnyMailReceipt, MailReceipt } from '#common/mail-jobs/views/mail-receipt.view.ts';
import { resolveTemplate } from '#common/templates/resolve-template.ts';

export const createMail = defineRoute({
  method: 'post',
  path: '/v1/mails',
  scope: 'send',
  operationId: 'createMail',
  summary: 'Send a letter',
  description:
    'The wallet is debited immediately. A repeat with the same `externalId` returns the first job, whatever the rest of the body, and debits nothing. Without an `externalId`, send an `Idempotency-Key`. If the body differs, another credential created the job and yours lacks the scope `read`, then `recipients`, `sender`, `files`, `metadata` and `webhookUrl` are those of your request instead of the job. With `dryRun`, everything is validated and priced, but nothing is sent or debited. With a `templateId`, the letter is typeset first, which takes less than a second; if it is not ready within 20 s, the answer is `SERVICE_UNAVAILABLE` and nothing was sent. A variable without a value is a `VALIDATION_ERROR` that names it. With a `sandboxClockId`, the letter follows that test clock; `CONFLICT` while it advances. The contents of address book entries are shown only with the scope `addresses` or `read`.',
  headers: idempotencyKeyHeader('For requests without an `externalId`. Ignored if there is one.'),
  body: MailRequest,
  responses: { 201: MailReceipt, 200: AnyMailReceipt },
  meanings: {
    201: 'Accepted and paid.',
    200: 'The mail job exists already and is returned in its current state, or the result of a dry run.',
  },
  errors: [
    'INSUFFICIENT_FUNDS',
    'PRICE_CHANGED',
    'CONFLICT',
    'IDEMPOTENCY_MISMATCH',
    'PRICING_UNAVAILABLE',
    'LIMIT_REACHED',
    'SERVICE_UNAVAILABLE',
  ],
  example: { body: mailJobRequest, responses: { 201: aNewReceipt, 200: aRepeatReceipt } },
  repeat: 'own',

  async handle({ body, headers, credential, requestId, now }, services) {
    const idempotencyKey = headers['idempotency-key'] ?? null;
    const sendRequest = { body, idempotencyKey, owner: credential, credential, requestId };
    const deps: CreateDeps = {
      ...services,
      resolveTemplate: (request, at) => resolveTemplate(request, services, at),
    };
    const { receipt, isNew } = await handleSendRequest(sendRequest, deps, now);
    return isNew ? reply(201, receipt) : reply(200, receipt);
  },
});

import { z } from 'zod';
import { aPreflight, preflightId, preflightRequest } from '#api/openapi/examples/document-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import {
  MailRequest,
  mailJobLimits,
  possibleAddresses,
  pricedFields,
  RequestFile,
} from '#common/mail-jobs/model/mail-request.schema.ts';
import { PreflightView } from '#common/mail-jobs/preflight/preflight.view.ts';
import { startPreflight, waitForResult } from '#common/mail-jobs/preflight/start-preflight.ts';
import { serviceTypes, zones } from '#common/services.ts';
import { viewPreflight } from './get-preflight.ts';

/** How long a request waits for the result. */
const maxWaitMs = 20_000;

const PreflightRequest = z
  .strictObject({
    files: z.array(RequestFile).min(1).max(mailJobLimits.files).describe('Checked as one letter, in this order.'),
    serviceType: z
      .enum(serviceTypes)
      .nullish()
      .describe('`standard` when absent. Registered letters have another window.'),
    color: pricedFields.color,
    doubleSided: pricedFields.doubleSided,
    zone: z.enum(zones).nullish().describe('With `recipients`: their countries must be in it.'),
    recipients: MailRequest.shape.recipients
      .nullish()
      .describe('Whether their addresses can be printed is checked too. They are not stored.'),
    sender: MailRequest.shape.sender,
  })
  .check(possibleAddresses)
  .meta({ id: 'PreflightRequest' });

export const createPreflight = defineRoute({
  method: 'post',
  path: '/v1/preflight',
  scope: 'send',
  operationId: 'createPreflight',
  summary: 'Check files before they are sent',
  description:
    'Opens the files as for printing and lists what would go wrong on paper: page size, content outside of the printable area or in the window of the envelope, fonts, images, blank pages, and addresses if `recipients` are given. Free, in test and live mode. Answers 202 when the check takes longer than 20 s; read the result at `GET /v1/preflight/{id}` then. Equal requests of 24 hours share a result. At most 20 checks of an organization and mode run at a time; `RATE_LIMITED` otherwise.',
  body: PreflightRequest,
  responses: { 200: PreflightView, 202: PreflightView },
  meanings: { 202: 'The check is still running.' },
  errors: ['SERVICE_UNAVAILABLE'],
  example: {
    body: preflightRequest,
    responses: {
      200: aPreflight,
      202: {
        ...aPreflight,
        ...{ preflightId, status: 'running', canBePrinted: null, letter: null, findings: [], overlayUrl: null },
      },
    },
  },
  repeat: 'harmless',

  async handle({ body, credential, now }, services) {
    const { serviceType, ...given } = body;
    const request = { ...given, serviceType: serviceType ?? 'standard' };
    const started = await startPreflight(credential, request, services, now);
    const row = await waitForResult(started, maxWaitMs);
    return reply(row.result ? 200 : 202, await viewPreflight(row, services, now));
  },
});

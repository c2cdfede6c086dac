import { z } from 'zod';
import { aPreflight } from '#api/openapi/examples/document-examples.ts';
import { mailJobId, mailJobPath } from '#api/openapi/examples/shared-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { FindingView } from '#common/mail-jobs/preflight/preflight.view.ts';
import { readMailJob } from '#common/mail-jobs/read/read-mail-jobs.ts';

export const getMailPreflight = defineRoute({
  method: 'get',
  path: '/v1/mails/{id}/preflight',
  scope: 'read',
  operationId: 'getMailPreflight',
  summary: 'List what was found in the files of a letter',
  description: 'The same check as `POST /v1/preflight`, made when the letter was rendered.',
  params: pathId('mj'),
  responses: {
    200: z
      .object({
        mailJobId: z.string(),
        status: z.enum(['running', 'done']).describe('`running` until the letter is rendered.'),
        findings: z.array(FindingView),
      })
      .meta({ id: 'MailJobPreflight' }),
  },
  errors: ['NOT_FOUND'],
  example: { params: mailJobPath, responses: { 200: { mailJobId, status: 'done', findings: aPreflight.findings } } },

  async handle({ params, credential }) {
    const { _id, findings, printFile, failure } = await readMailJob(credential, params.id);
    const isRunning = findings === undefined && printFile === null && failure === null;
    return reply(200, { mailJobId: _id, status: isRunning ? 'running' : 'done', findings: findings ?? [] });
  },
});

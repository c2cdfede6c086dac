import { z } from 'zod';
import { aTimeline } from '#api/openapi/examples/letter-examples.ts';
import { mailJobPath } from '#api/openapi/examples/shared-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { readMailJob } from '#common/mail-jobs/read/read-mail-jobs.ts';
import { readTimeline, TimelineEntry } from '#common/mail-jobs/read/timeline.ts';

export const getTimeline = defineRoute({
  method: 'get',
  path: '/v1/mails/{id}/timeline',
  scope: 'read',
  operationId: 'getTimeline',
  summary: 'List every step of a letter',
  description:
    'All steps of the letter and of each of its copies, oldest first. The kinds are an open list: ignore those you do not know.',
  params: pathId('mj'),
  responses: { 200: z.object({ data: z.array(TimelineEntry) }).meta({ id: 'Timeline' }) },
  errors: ['NOT_FOUND'],
  example: { params: mailJobPath, responses: { 200: { data: aTimeline } } },

  async handle({ params, credential }) {
    return reply(200, { data: await readTimeline(await readMailJob(credential, params.id)) });
  },
});

import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { aMailJobSummary, mailJobMetadata } from '#api/openapi/examples/letter-examples.ts';
import { nestedQuery } from '#api/requests/nested-query.ts';
import { defineRoute, reply } from '#api/route.ts';
import { mailFilterFields } from '#common/mail-jobs/model/mail-filter.schema.ts';
import { listMailJobs } from '#common/mail-jobs/read/read-mail-jobs.ts';
import { MailSummary, toMailSummary } from '#common/mail-jobs/views/mail-job.view.ts';

export const listMails = defineRoute({
  method: 'get',
  path: '/v1/mails',
  scope: 'read',
  operationId: 'listMails',
  summary: 'List mail jobs',
  description: 'Newest first. Returns mail jobs that match all given filters.',
  query: nestedQuery(
    ['metadata'],
    z.strictObject({ ...mailFilterFields, ...listPageQuery({ maxLimit: 100, defaultLimit: 20 }) }),
  ),
  responses: { 200: listPageOf(MailSummary) },
  errors: [],
  example: {
    query: { status: 'queued', createdAfter: '2026-03-01T00:00:00.000Z', metadata: mailJobMetadata },
    responses: { 200: { data: [aMailJobSummary], hasMore: false, nextCursor: null } },
  },

  async handle({ query, credential }, { cursors }) {
    return reply(200, toListPage(await listMailJobs(credential, query, cursors), toMailSummary));
  },
});

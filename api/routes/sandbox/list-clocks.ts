import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { aClock } from '#api/openapi/examples/sandbox-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { listClocks } from '#common/sandbox/clocks/change-clocks.ts';
import { SandboxClockView, toClockView } from '#common/sandbox/clocks/clock.view.ts';

export const listClocksRoute = defineRoute({
  method: 'get',
  path: '/v1/sandbox/clocks',
  scope: 'read',
  mode: 'test',
  operationId: 'listSandboxClocks',
  summary: 'List test clocks',
  description: 'Newest first.',
  query: z.strictObject(listPageQuery({ maxLimit: 100, defaultLimit: 20 })),
  responses: { 200: listPageOf(SandboxClockView) },
  errors: [],
  example: { responses: { 200: { data: [aClock], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(
      200,
      toListPage(await listClocks(credential, query, cursors), (row) => toClockView(row, credential)),
    );
  },
});

import { aPreflight, preflightId } from '#api/openapi/examples/document-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import type { PreflightRecord } from '#common/mail-jobs/preflight/preflight.model.ts';
import { PreflightView, toPreflightView } from '#common/mail-jobs/preflight/preflight.view.ts';
import { readPreflight } from '#common/mail-jobs/preflight/start-preflight.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { signUrl } from '#common/platform/s3/temporary-objects.ts';

export const getPreflight = defineRoute({
  method: 'get',
  path: '/v1/preflight/{id}',
  scope: 'send',
  operationId: 'getPreflight',
  summary: 'Read the result of a check',
  description: 'Results can be read for 24 hours.',
  params: pathId('pf'),
  responses: { 200: PreflightView },
  errors: ['NOT_FOUND'],
  example: { params: { id: preflightId }, responses: { 200: aPreflight } },

  async handle({ params, credential, now }, services) {
    return reply(200, await viewPreflight(await readPreflight(credential, params.id, now), services, now));
  },
});

/** Returns the public form of a preflight, with a new URL of its picture. */
export async function viewPreflight(
  row: PreflightRecord,
  { store }: { store: ObjectStore },
  at: Date,
): Promise<PreflightView> {
  const key = row.result?.overlayKey ?? null;
  return toPreflightView(row, key === null ? null : (await signUrl(key, { store, at })).url);
}

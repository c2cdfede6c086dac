import { z } from 'zod';
import { download, redirect } from '#api/web/framework/answer.ts';
import { callerOf } from '#api/web/visit/visit.ts';
import { confirmBulk, mapColumns, pauseSending, resumeSending } from '#common/bulk/actions/change-bulk.ts';
import { writeFaultsCsv, writeResultsCsv } from '#common/bulk/read/bulk-csv.ts';
import { readBulkOfAnyMode } from '#common/bulk/read/read-bulk.ts';
import { bulkPage } from './bulk.ts';
import { mappingForm, toChoice } from './bulk-mapping.ts';
import { bulkParams, bulkPath, orRefusal } from './bulk-parts.ts';
import { readingForm, toReading } from './bulk-reading.ts';
import { defineAction, definePage } from './texts.ts';

const shared = { params: bulkParams, page: bulkPage } as const;

export const mapBulkAction = defineAction({
  ...shared,
  path: `${bulkPath}/:bulkId/mapping`,
  form: mappingForm,
  async run({ visit, params: { bulkId }, form, now }, services) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    await orRefusal(mapColumns(callerOf(visit, bulk), bulkId, toChoice(form), services, now));
    return redirect(visit.href(`${bulkPath}/${bulkId}`));
  },
});

export const readBulkAgainAction = defineAction({
  ...shared,
  path: `${bulkPath}/:bulkId/reading`,
  form: readingForm,
  async run({ visit, params: { bulkId }, form, now }, services) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    const reading = toReading(form, bulk.reading);
    await orRefusal(mapColumns(callerOf(visit, bulk), bulkId, { reading }, services, now));
    return redirect(visit.href(`${bulkPath}/${bulkId}`));
  },
});

/** The token is valid once, and a bulk is confirmed once: a second click sends nothing twice. */
export const confirmBulkAction = defineAction({
  ...shared,
  path: `${bulkPath}/:bulkId/confirm`,
  token: 'once',
  form: z.object({
    maxTotalCents: z.coerce.number().int().min(0),
    revision: z.coerce.number().int().min(0).optional(),
  }),
  async run({ visit, params: { bulkId }, form, now }, services) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    const choice = { ...form, skipFaultyRows: true };
    await orRefusal(confirmBulk(callerOf(visit, bulk), bulkId, choice, services, now));
    return redirect(visit.href(`${bulkPath}/${bulkId}`, { notice: 'bulkConfirmed' }));
  },
});

export const pauseBulkAction = defineAction({
  ...shared,
  path: `${bulkPath}/:bulkId/pause`,
  form: z.object({}),
  async run({ visit, params: { bulkId }, now }) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    await orRefusal(pauseSending(callerOf(visit, bulk), bulkId, now));
    return redirect(visit.href(`${bulkPath}/${bulkId}`));
  },
});

export const resumeBulkAction = defineAction({
  ...shared,
  path: `${bulkPath}/:bulkId/resume`,
  form: z.object({ acceptNewPrice: z.literal('yes').optional() }),
  async run({ visit, params: { bulkId }, form, now }, services) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    await orRefusal(
      resumeSending(callerOf(visit, bulk), bulkId, { acceptNewPrice: form.acceptNewPrice === 'yes' }, services, now),
    );
    return redirect(visit.href(`${bulkPath}/${bulkId}`));
  },
});

export const bulkResultsFile = definePage({
  path: `${bulkPath}/:bulkId/results`,
  params: bulkParams,
  isFile: true,
  async show({ visit, params: { bulkId } }, { uploadedCells }) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    return download({
      contentType: 'text/csv',
      filename: `${bulkId}-results.csv`,
      body: writeResultsCsv(bulk, uploadedCells),
    });
  },
});

export const bulkFaultsFile = definePage({
  path: `${bulkPath}/:bulkId/faults`,
  params: bulkParams,
  isFile: true,
  async show({ visit, params: { bulkId } }, { uploadedCells }) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    return download({
      contentType: 'text/csv',
      filename: `${bulkId}-faults.csv`,
      body: writeFaultsCsv(bulk, uploadedCells),
    });
  },
});

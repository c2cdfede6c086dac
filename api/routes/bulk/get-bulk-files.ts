import { aFaultsCsv, aResultsCsv, bulkPath } from '#api/openapi/examples/bulk-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, stream, textOf } from '#api/route.ts';
import { writeFaultsCsv, writeResultsCsv } from '#common/bulk/read/bulk-csv.ts';
import { readBulk } from '#common/bulk/read/read-bulk.ts';

const csv = 'text/csv';

export const getBulkResults = defineRoute({
  method: 'get',
  path: '/v1/bulk/{id}/results',
  scope: 'read',
  operationId: 'getBulkResults',
  summary: 'Download the results of a bulk',
  description:
    'A CSV file with one line per row: its mail job, status and remarks, then the cells of your file. Columns that no letter uses are there while the uploaded file is; later a last column names them. Text that a spreadsheet would read as a formula starts with an apostrophe. `CONFLICT` once the rows are removed.',
  params: pathId('blk'),
  responses: { 200: textOf(csv) },
  errors: ['NOT_FOUND', 'CONFLICT'],
  example: { params: bulkPath, responses: { 200: aResultsCsv } },

  async handle({ params, credential }, { uploadedCells }) {
    const bulk = await readBulk(credential, params.id);
    return stream(csv, writeResultsCsv(bulk, uploadedCells), `${bulk._id}-results.csv`);
  },
});

export const getBulkFaults = defineRoute({
  method: 'get',
  path: '/v1/bulk/{id}/faults',
  scope: 'read',
  operationId: 'getBulkFaults',
  summary: 'Download the faults of a bulk',
  description:
    'Your file as CSV with a column of faults. Correct it and upload it again: that column is ignored. Text that a spreadsheet would read as a formula starts with an apostrophe, which is removed when it is read. `CONFLICT` once the rows are removed.',
  params: pathId('blk'),
  responses: { 200: textOf(csv) },
  errors: ['NOT_FOUND', 'CONFLICT'],
  example: { params: bulkPath, responses: { 200: aFaultsCsv } },

  async handle({ params, credential }, { uploadedCells }) {
    const bulk = await readBulk(credential, params.id);
    return stream(csv, writeFaultsCsv(bulk, uploadedCells), `${bulk._id}-faults.csv`);
  },
});

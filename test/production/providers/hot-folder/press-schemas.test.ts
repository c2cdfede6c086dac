// Level: unit
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createManifest } from '#common/production/providers/hot-folder/batch-manifest.schema.ts';
import { parsePrintResults } from '#common/production/providers/hot-folder/print-results.schema.ts';
import { pressSchemaFolder, printPressSchemas } from '#scripts/openapi/press-schemas.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { batchId, makeBatch, makeItems } from '#test/support/production/hot-folder-batch.ts';
import { findStale } from '#test/support/project/generated.ts';
import { readText, root } from '#test/support/project/markdown.ts';

const names = ['batch-manifest.schema.json', 'print-results.schema.json'];

function compile(name: string) {
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(readText(join(pressSchemaFolder, name))));
}

describe('the published JSON Schemas', () => {
  test('are those of the code', () => {
    const printed = printPressSchemas();
    expect(Object.keys(printed)).toEqual(names);
    expect(readdirSync(join(root, pressSchemaFolder)).sort()).toEqual(names);
    for (const name of names) expect(findStale(join(pressSchemaFolder, name), printed[name] ?? '')).toBeNull();
  });

  test('a manifest fits its schema, and what is in it for results does too', () => {
    const items = makeItems(3);
    const [isManifest, isResult] = names.map(compile);
    const manifest = createManifest(makeBatch(items), items);
    expect(isManifest?.(manifest)).toBe(true);
    expect(isManifest?.({ ...manifest, later: 'field' })).toBe(true);
    const tracked = createManifest(
      makeBatch(items),
      items.map((item) => ({ ...item, trackingNumber: 'RR473124829XX' })),
    );
    expect([isManifest?.(tracked), tracked.files[0]?.trackingNumber]).toEqual([true, 'RR473124829XX']);
    expect(isManifest?.({ ...manifest, files: [] })).toBe(false);
    expect(manifest).toMatchObject({ batchId, cutoffAt: '2026-03-05T14:00:00.000Z', itemCount: 3, sheetCount: 6 });
    expect(JSON.stringify(manifest)).not.toContain('mj_');
    expect(isResult?.(manifest.results.allPrinted)).toBe(true);
    expect(parsePrintResults(manifest.results.allPrinted)).toHaveProperty('results');
  });

  test('the schema of results takes what the service takes', () => {
    const isResult = compile('print-results.schema.json');
    const [itemId = ''] = makeItems(1).map((item) => item.itemId);
    const documents: unknown[] = [
      { schemaVersion: 1, batchId, result: 'printed' },
      { batchId, result: 'printed' },
      { batchId, result: 'failed' },
      { schemaVersion: 2, batchId, result: 'printed' },
      { batchId: itemId, result: 'printed' },
      { batchId, result: 'printed', items: [] },
      { batchId, items: [] },
      { batchId, items: [{ itemId, result: 'printed' }] },
      { batchId, items: [{ itemId: batchId, result: 'printed' }] },
      { batchId, items: [{ itemId, result: 'printed', reason: 'x' }] },
      { batchId, items: [{ itemId, result: 'failed' }] },
      ...['x', '', ' ', 'r'.repeat(200), 'r'.repeat(201), 'a\u0007b', 'é'].map((reason) => ({
        batchId,
        items: [{ itemId, result: 'failed', reason }],
      })),
    ];
    const taken = documents.map((document) => 'results' in parsePrintResults(document));
    expect(documents.map((document) => isResult(document))).toEqual(taken);
    expect(taken.filter(Boolean)).toHaveLength(6);
  });
});

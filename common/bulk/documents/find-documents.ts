import { readVersion } from '#common/templates/read-templates.ts';
import type { BulkCheckDeps } from '../check/bulk-check-deps.ts';
import type { CheckedDocument } from '../check/check-document.ts';
import type { RowCheck, RowDocument } from '../check/row-checker.ts';
import { foldZipName } from '../file/zip-name.ts';
import type { BulkRecord, StoredDocument } from '../model/bulk.model.ts';
import type { BulkMapping } from '../model/bulk-fields.ts';
import { typesetRows } from './typeset-rows.ts';

type Documents = {
  document: CheckedDocument & { kind: 'good' };
  /** Those of a ZIP. */
  stored: readonly StoredDocument[];
  mapping: BulkMapping;
};

/** Returns the function that finds the document of each row: the shared one, one of a ZIP, or one set from a template. */
export async function findDocuments(
  bulk: BulkRecord,
  { document, stored, mapping }: Documents,
  { typesetting }: Pick<BulkCheckDeps, 'typesetting'>,
  signal: AbortSignal,
): Promise<RowCheck['documentsOf']> {
  const { template } = bulk;
  if (template) {
    const version = await readVersion(bulk, template.templateId, template.version);
    const work = { version, mapping, zone: bulk.zone, typesetting };
    // Only the pages are kept: the same letter is set again when it is sent.
    const pagesOf = async ({
      letter,
      faults,
    }: {
      letter: { pageCount: number } | null;
      faults: RowDocument['faults'] | null;
    }) => ({ pages: letter?.pageCount ?? 0, faults: faults ?? [] });
    return async (rows) => await typesetRows(rows, work, pagesOf, signal);
  }
  const { pages } = document;
  if (pages !== null) return async (rows) => rows.map(() => ({ pages, faults: [] }));

  const byName = new Map(stored.map((each) => [each.name, each]));
  const byFoldedName = Map.groupBy(stored, ({ name }) => foldZipName(name));
  const column = mapping.fields.file?.[0] ?? null;
  return async (rows) =>
    rows.map(({ letter: { file } }): RowDocument => {
      const [alike, another] = byFoldedName.get(foldZipName(file)) ?? [];
      // Two names that differ in their spelling only are two documents.
      const found = byName.get(file) ?? (another === undefined ? alike : undefined);
      if (!found) return { pages: 0, faults: [{ column, code: 'unknown_file', detail: null }] };
      if (found.fault !== null) return { pages: 0, faults: [{ column, code: 'bad_document', detail: found.fault }] };
      return { pages: found.pages, s3Key: found.s3Key, faults: [] };
    });
}

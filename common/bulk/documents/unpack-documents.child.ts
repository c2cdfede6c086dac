import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { childMain } from '#common/documents/isolation/child-main.ts';
import { TableFault } from '../file/table-fault.ts';
import { tableLimits } from '../file/table-limits.ts';
import { readZipDirectory } from '../file/zip-directory.ts';
import { frameOf, maxDocumentBytes } from './document-frames.ts';

/**
 * Unpacks the PDFs of a ZIP: `unpack-documents.child.ts <path>` writes them to `documents.bin` in its folder, one frame
 * after the other.
 */
await childMain('too_hard', async ([path = '']) => {
  const file = openSync('documents.bin', 'wx');
  try {
    const entries = await readZipDirectory(readFileSync(path));
    const documents = entries.filter(({ name }) => isDocument(name));
    if (documents.length > tableLimits.documents) throw new TableFault('zip_too_large');
    for (const entry of documents) {
      if (entry.sizeBytes > maxDocumentBytes) throw new TableFault('zip_document_too_large', { count: entry.position });
      for (const part of frameOf(entry.name, await buffer(entry.unpack()))) writeSync(file, part);
    }
    return { documents: documents.length };
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    return { fault: error.fault, ...error.place };
  } finally {
    closeSync(file);
  }
});

/** macOS adds a hidden twin of every file. */
function isDocument(name: string): boolean {
  return /\.pdf$/i.test(name) && !name.startsWith('__MACOSX/') && !/(^|\/)\.[^/]*$/.test(name);
}

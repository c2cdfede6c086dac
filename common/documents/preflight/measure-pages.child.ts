import { readFileSync, writeFileSync } from 'node:fs';
import { childMain } from '../isolation/child-main.ts';
import { startPdfium } from '../pdfium/raw-pdfium.ts';
import { measurePages } from './measure-pages.ts';

/** Measures the pages of a print file: `measure-pages.child.ts <file>` writes `measured.json` to its folder. */
await childMain('damaged_pdf', async ([path = '']) => {
  const report = measurePages(await startPdfium(), readFileSync(path));
  writeFileSync('measured.json', JSON.stringify(report));
  return {};
});

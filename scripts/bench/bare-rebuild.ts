import { readdirSync, readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyPages } from '#common/documents/pdf/copy-pages.ts';
import { createInflateBudget } from '#common/documents/pdf/inflate-budget.ts';
import { measureInflated } from '#common/documents/pdf/measure-inflated.ts';
import { openPdf } from '#common/documents/pdf/pdf-source.ts';
import { createPdfWriter } from '#common/documents/pdf/pdf-writer.ts';

/**
 * The floor of rendering: rebuilds the PDFs of a folder in a warm process, as a document process does except for its
 * second count of the pages, and prints the CPU milliseconds of each. `node bare-rebuild.ts <folder>`.
 */
const [source = '.'] = process.argv.slice(2);
const warmUps = 1_500;
const measured = 500;

const files = readdirSync(source).map((name) => readFileSync(join(source, name)));
await using folder = await mkdtempDisposable(join(tmpdir(), 'bluejay-bench-rebuilt-'));

async function rebuild(from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += 1) {
    const budget = createInflateBudget();
    const pdf = await openPdf(files[n % files.length] ?? Buffer.alloc(0), budget);
    await measureInflated(pdf, budget);
    const writer = createPdfWriter(join(folder.path, `${n}.pdf`));
    copyPages(pdf, writer);
    writer.finish();
  }
}

await rebuild(0, warmUps);
const before = process.cpuUsage();
await rebuild(warmUps, measured);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${(user + system) / 1_000 / measured}\n`);

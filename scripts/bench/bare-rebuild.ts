import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflatedSize } from '#common/documents/pdf/limits/inflated-size.ts';
import { createMemorySink } from '#common/documents/pdf/pdf-sink.ts';
import { rebuildPdf } from '#common/documents/pdf/rebuild-pdf.ts';

/**
 * The floor of rendering: rebuilds the one-page PDFs of a folder in a warm process, in memory and without fences,
 * except for the second count of the pages, and prints the CPU milliseconds of each. `node bare-rebuild.ts <folder>`.
 */
const [source = '.'] = process.argv.slice(2);
const warmUps = 1_500;
const measured = 500;

const files = readdirSync(source).map((name) => readFileSync(join(source, name)));
const output = Buffer.alloc(1024 * 1024);

async function rebuild(from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += 1) {
    const work = { pageCount: 1, sink: createMemorySink(output), inflatedSize };
    await rebuildPdf(files[n % files.length] ?? Buffer.alloc(0), work);
  }
}

await rebuild(0, warmUps);
const before = process.cpuUsage();
await rebuild(warmUps, measured);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${(user + system) / 1_000 / measured}\n`);

import { startWarmChild } from '#common/documents/warm/start-warm-child.ts';
import { createLog } from '#common/platform/process/log.ts';

/** Gives a warm child a file that computes without end, and prints the child's id: `abandoned-child.program.ts <script> <pdf>`. */
const [script = '', file = ''] = process.argv.slice(2);
const child = await startWarmChild(createLog('test', 'silent'), { script });
const asked = child.ask({ operation: 'rebuildPdf', bytes: Buffer.from(file, 'base64') }, new AbortController().signal);
process.stdout.write(`child ${child.pid}\n`);
await asked;

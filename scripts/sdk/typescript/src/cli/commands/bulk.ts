import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { confirmSpending } from '../program/ask.ts';
import type { Command, Context } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { Refusal, UsageError } from '../program/failure.ts';
import { count, euros, plain } from '../program/output.ts';
import type { Bluejay, BodyOf, Schemas } from '../sdk.ts';
import { letterFlags, readLetterFlags } from './letter-flags.ts';

type List = Schemas['Bulk'];
type MimeType = BodyOf<'createBulkUpload'>['mimeType'];

const checkEveryMs = 500;
const workingStates: readonly string[] = ['validating', 'sending'];
const mimeTypes: Readonly<Record<string, MimeType>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
};

/** `bulk` checks a list, shows its price, asks and sends it. */
export const bulkCommand: Command = {
  name: 'bulk',
  summary: 'Send a letter to each row of a list (CSV, XLSX, or ZIP of PDFs).',
  args: ['LIST'],
  flags: {
    document: { value: 'FILE', help: 'The letter. Not for a ZIP, which has its own.' },
    template: { value: 'ID', help: 'A template in place of a document, tpl_….' },
    ...letterFlags,
    'skip-faulty': { help: 'Send the valid rows of a list with faults.' },
    'dry-run': { help: 'Check and price the list, then cancel it.' },
    yes: { short: 'y', help: 'Send without asking.' },
  },
  examples: ['bluejay bulk list.csv --document letter.pdf --dry-run', 'bluejay bulk list.csv --template tpl_… --yes'],
  notes: ['Shows the state and the price, asks, then waits until all letters are sent.'],
  async run(context) {
    const { has, out, signal } = context;
    const { bluejay } = await connect(context);
    const created = await createList(bluejay, context);
    const { bulkId } = created;
    const checked = await waitForList(bluejay, created, context);
    out.note(describe(checked));
    const canSend = checked.state === 'ready' || (checked.state === 'needs_attention' && has('skip-faulty'));
    if (has('dry-run')) {
      await bluejay.bulk.cancel(bulkId, { signal });
      out.result(checked, () => [`${describe(checked)}. Not sent (dry run).`]);
      return;
    }
    if (!canSend) throw refuse(checked);
    const { totalCents } = checked;
    await confirmSpending(context, `Send ${count(checked.rows.valid, 'letter')} for ${euros(totalCents ?? 0)}`);
    const body = { maxTotalCents: totalCents, skipFaultyRows: has('skip-faulty') };
    const sent = await waitForList(bluejay, await bluejay.bulk.confirm(bulkId, body, { signal }), context);
    out.result(sent, () => [
      `${sent.bulkId}: ${sent.state}, ${sent.progress.sent} sent, ${sent.progress.refused} refused`,
    ]);
    if (sent.state !== 'sent') throw refuse(sent);
  },
};

async function createList(bluejay: Bluejay, context: Context): Promise<List> {
  const { args, text, signal } = context;
  const path = args[0] ?? '';
  const mimeType = mimeTypes[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
  if (!mimeType) throw new UsageError('The list must be a .csv, .xlsx or .zip file.');
  const [document, templateId] = [text('document'), text('template')];
  if (mimeType !== mimeTypes.zip && !document === !templateId) {
    throw new UsageError('Give either --document FILE or --template ID.');
  }
  const bytes = new Uint8Array(await readFile(path));
  const upload = { filename: basename(path), mimeType, sizeBytes: bytes.length };
  const { uploadUrl, headers, s3Key } = await bluejay.bulk.createUpload(upload, { signal });
  const put = await fetch(uploadUrl, { method: 'PUT', headers, body: bytes, signal });
  if (!put.ok) throw new Refusal(`The list could not be uploaded: ${put.status}.`, { code: 'UPLOAD_FAILED' });
  const files = document ? [{ s3Key: await bluejay.uploads.file(document, {}, { signal }) }] : undefined;
  const what = { ...(files && { files }), ...(templateId && { templateId }) };
  return await bluejay.bulk.create({ file: { s3Key }, ...readLetterFlags(context), ...what }, { signal });
}

async function waitForList(bluejay: Bluejay, first: List, { out, signal }: Context): Promise<List> {
  let list = first;
  while (workingStates.includes(list.state)) {
    await sleep(checkEveryMs);
    if (signal.aborted) out.note(`Stopped waiting. The list ${list.bulkId} is ${list.state}.`);
    signal.throwIfAborted();
    list = await bluejay.bulk.get(list.bulkId, { signal });
  }
  return list;
}

function refuse({ bulkId, state, failure, pause, missingFields }: List): Refusal {
  const missing = missingFields.length > 0 ? ` These fields have no column: ${missingFields.join(', ')}.` : '';
  const reason = failure ?? pause;
  const message = `The list ${bulkId} is ${state}.${missing}${reason ? ` ${plain(reason.message)}` : ''}`;
  const next = state === 'needs_attention' ? 'Fix its faults, or add --skip-faulty.' : null;
  return new Refusal(message, { code: 'LIST_NOT_SENT', next });
}

function describe({ bulkId, state, rows, totalCents }: List): string {
  const price = totalCents === null ? 'no price' : euros(totalCents);
  return `${bulkId}: ${state}, ${rows.valid} of ${count(rows.total, 'row')} valid, ${price}`;
}

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { confirmSpending } from '../program/ask.ts';
import type { Command, Context } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { Refusal, UsageError } from '../program/failure.ts';
import { count, euros, plain } from '../program/output.ts';
import { requestStore } from '../program/store-request.ts';
import type { Bluejay, BodyOf, Schemas } from '../sdk.ts';
import { letterFlags, readLetterFlags } from './letter-flags.ts';

type List = Schemas['Bulk'];
type MimeType = BodyOf<'createBulkUpload'>['mimeType'];

const checkEveryMs = 500;
const shownFaults = 10;
/** In these a list waits for a person. */
const unsentStates: readonly string[] = ['ready', 'needs_attention', 'needs_mapping'];
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
  notes: ['Shows the status and the price, asks, then waits until all letters are sent.'],
  async run(context) {
    const { has, out, signal } = context;
    const { bluejay } = await connect(context);
    const created = await createList(bluejay, context);
    const checked = await waitForList(bluejay, created, context);
    out.note(describe(checked));
    for (const line of await readFaults(bluejay, checked, signal)) out.warn(line);
    if (has('dry-run')) {
      await bluejay.bulk.cancel(checked.bulkId, { signal });
      out.result(checked, () => [`${describe(checked)}. Not sent (dry run).`]);
      if (!canBeSent(checked, context)) throw refuse(checked);
      return;
    }
    await confirm(bluejay, checked, context);
    const { totalCents: maxTotalCents, revision } = checked;
    const body = { maxTotalCents, revision, skipFaultyRows: has('skip-faulty') };
    const sent = await waitForList(bluejay, await bluejay.bulk.confirm(checked.bulkId, body, { signal }), context);
    out.result(sent, () => [
      `${sent.bulkId}: ${sent.status}, ${sent.progress.sent} sent, ${sent.progress.refused} refused`,
    ]);
    if (sent.status !== 'sent') throw refuse(sent);
  },
};

/** Returns when the list may be sent. Otherwise it cancels the list, which would count as unfinished, and throws. */
async function confirm(bluejay: Bluejay, list: List, context: Context): Promise<void> {
  const { bulkId, status, rows, totalCents } = list;
  try {
    if (!canBeSent(list, context)) throw refuse(list);
    await confirmSpending(context, `Send ${count(rows.valid, 'letter')} for ${euros(totalCents ?? 0)}`);
  } catch (error) {
    if (unsentStates.includes(status)) {
      const keep = ({ message }: Error) => context.out.warn(`The list ${bulkId} is not cancelled: ${message}`);
      await bluejay.bulk.cancel(bulkId).catch(keep);
    }
    throw error;
  }
}

function canBeSent({ status }: List, { has }: Context): boolean {
  return status === 'ready' || (status === 'needs_attention' && has('skip-faulty'));
}

/** Returns the first faults of a list as lines. */
async function readFaults(bluejay: Bluejay, { bulkId, rows }: List, signal: AbortSignal): Promise<string[]> {
  if (rows.faulty === 0) return [];
  const faulty = await bluejay.bulk.rows(bulkId, { status: 'faulty', limit: shownFaults }, { signal });
  const lines = faulty.data.flatMap(({ row, faults }) =>
    faults.map(({ column, message }) => plain(`Row ${row}${column === null ? '' : `, ${column}`}: ${message}`)),
  );
  const more = rows.faulty - faulty.data.length;
  return more > 0 ? [...lines, `${count(more, 'more row')} with faults.`] : lines;
}

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
  if (bytes.length === 0) throw new Refusal('The list is empty.', { code: 'LIST_HAS_FAULTS' });
  const upload = { filename: basename(path), mimeType, sizeBytes: bytes.length };
  const { uploadUrl, headers, s3Key } = await bluejay.bulk.createUpload(upload, { signal });
  await requestStore('The list cannot be uploaded', uploadUrl, { method: 'PUT', headers, body: bytes, signal });
  const files = document ? [{ s3Key: await bluejay.uploads.file(document, {}, { signal }) }] : undefined;
  const what = { ...(files && { files }), ...(templateId && { templateId }) };
  return await bluejay.bulk.create({ file: { s3Key }, ...readLetterFlags(context), ...what }, { signal });
}

async function waitForList(bluejay: Bluejay, first: List, { out, signal }: Context): Promise<List> {
  let list = first;
  while (workingStates.includes(list.status)) {
    try {
      await sleep(checkEveryMs, undefined, { signal });
      list = await bluejay.bulk.get(list.bulkId, { signal });
    } catch (error) {
      if (signal.aborted) out.note(`Stopped waiting. The list ${list.bulkId} is ${list.status}.`);
      throw error;
    }
  }
  return list;
}

function refuse({ bulkId, status, failure, pause, missingFields, undecidedColumns, rows }: List): Refusal {
  if (status === 'needs_attention') {
    const next = 'Fix them, or add --skip-faulty to send the other rows.';
    return new Refusal(`${count(rows.faulty, 'row')} of the list cannot be sent.`, { code: 'LIST_HAS_FAULTS', next });
  }
  if (status === 'needs_mapping' && missingFields.length === 0) {
    const next = 'Rename or remove them, or upload the list in the account area, which asks for each.';
    const message = `These columns look like a part of the address, and would not be printed: ${undecidedColumns.join(', ')}.`;
    return new Refusal(message, { code: 'LIST_HAS_FAULTS', next });
  }
  if (status === 'needs_mapping') {
    const next =
      'Name its columns name, line1, zip, city and country, or upload it in the account area, which asks for them.';
    const message = `The list has no column for: ${missingFields.join(', ')}.`;
    return new Refusal(message, { code: 'LIST_HAS_FAULTS', next });
  }
  if (failure) return new Refusal(`The list cannot be read. ${plain(failure.message)}`, { code: 'LIST_HAS_FAULTS' });
  const message = `The list ${bulkId} is ${status}.${pause ? ` ${plain(pause.message)}` : ''}`;
  const next = pause ? 'Then resume it, or cancel it, in the account area.' : null;
  return new Refusal(message, { code: pause?.code ?? 'LIST_NOT_SENT', next });
}

function describe({ bulkId, status, rows, totalCents }: List): string {
  const price = totalCents === null ? 'no price' : euros(totalCents);
  return `${bulkId}: ${status}, ${rows.valid} of ${count(rows.total, 'row')} valid, ${price}`;
}

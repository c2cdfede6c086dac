import { readFile } from 'node:fs/promises';
import { readStandardInput } from '../program/ask.ts';
import type { Context, Flags, Input } from '../program/command.ts';
import { UsageError } from '../program/failure.ts';
import type { BodyOf } from '../sdk.ts';

type Letter = BodyOf<'createMail'>;
export type Recipients = Letter['recipients'];
export type Service = Letter['serviceType'];
export type Zone = Letter['zone'];

const services = ['standard', 'prior', 'registered'] as const;
const zones = ['NATIONAL', 'INTERNATIONAL'] as const;

/** Flags of what a letter costs. */
export const letterFlags = {
  service: { value: 'SERVICE', choices: services, help: 'How it is sent. Default: standard.' },
  zone: { value: 'ZONE', choices: zones, help: 'Default: from the country of the recipients.' },
  color: { help: 'Print in colour.' },
  'one-side': { help: 'Print on one side of the paper.' },
  receipt: { help: 'With acknowledgment of receipt (registered letters).' },
} as const satisfies Flags;

/** Flags of the recipients of a letter. */
export const recipientFlags = {
  to: { value: 'ID', multiple: true, help: 'An entry of the address book, adr_…. May be repeated.' },
  'to-json': {
    value: 'FILE',

    help: 'A JSON file with one recipient or a list of them. "-" is standard input.',
  },
  name: { value: 'NAME', help: 'The name of a recipient given by flags.' },
  line1: { value: 'TEXT', help: 'Street and number.' },
  line2: { value: 'TEXT', help: 'A second address line.' },
  zip: { value: 'CODE', help: 'The postal code.' },
  city: { value: 'CITY', help: 'The city.' },
  country: { value: 'CC', help: 'The country, two letters. Default: BE.' },
} as const satisfies Flags;

const fields = ['name', 'line1', 'line2', 'zip', 'city'] as const;

/** Returns what the flags say about the price of a letter. */
export function readLetterFlags({ text, has }: Input) {
  const zone = text('zone') as Zone | undefined;
  return {
    serviceType: (text('service') ?? 'standard') as Service,
    ...(zone && { zone }),
    ...(has('color') && { color: true }),
    ...(has('one-side') && { doubleSided: false }),
    ...(has('receipt') && { acknowledgmentReceipt: true }),
  };
}

/** Returns the recipients of all flags together. Throws UsageError when there is none. */
export async function readRecipients(context: Context): Promise<Recipients> {
  const { all, text, has } = context;
  const recipients: unknown[] = all('to').map((addressId) => ({ addressId }));
  const path = text('to-json');
  if (path !== undefined) recipients.push(...(await readJsonList(path, context.signal)));
  if (fields.some(has) || has('country')) {
    const missing = fields.filter((field) => field !== 'line2' && !has(field)).map((field) => `--${field}`);
    if (missing.length > 0) throw new UsageError(`The recipient is incomplete: ${missing.join(', ')} is missing.`);
    const given = fields.flatMap((field) => (has(field) ? [[field, text(field)]] : []));
    recipients.push({ ...Object.fromEntries(given), country: text('country')?.toUpperCase() ?? 'BE' });
  }
  if (recipients.length === 0) {
    throw new UsageError('There is no recipient.', 'Give --to adr_…, --to-json FILE, or --name --line1 --zip --city.');
  }
  return recipients as Recipients;
}

async function readJsonList(path: string, signal: AbortSignal): Promise<unknown[]> {
  // The API checks the fields, and its errors name them.
  const bytes = path === '-' ? await readStandardInput(signal) : await readFile(path, 'utf8');
  try {
    const value: unknown = JSON.parse(bytes);
    const list = Array.isArray(value) ? value : [value];
    if (list.every((entry) => typeof entry === 'object' && entry !== null)) return list;
  } catch {
    // Said below.
  }
  throw new UsageError(`${path} is not a JSON object or a list of objects.`);
}

import type { Command, Input } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { UsageError } from '../program/failure.ts';
import { count, euros, localTime, plain, table } from '../program/output.ts';
import type { FilterOf, Schemas } from '../sdk.ts';
import { letterFlags } from './letter-flags.ts';
import { readNumber } from './quote.ts';

const maxPerPage = 100;

type Status = Schemas['MailJobSummary']['status'];
const statuses: readonly Status[] = ['queued', 'printed', 'posted', 'delivered', 'failed'];

const list: Command = {
  name: 'mails list',
  summary: 'List letters, newest first.',
  flags: {
    status: { value: 'STATUS', choices: statuses, help: 'Only letters with this status.' },
    'external-id': { value: 'TEXT', help: 'Only the letter with this external id.' },
    service: { ...letterFlags.service, help: 'Only letters sent so.' },
    zone: { ...letterFlags.zone, help: 'Only letters to this zone.' },
    'created-after': {
      value: 'TIME',
      help: 'Created at this time or later, such as 2026-11-23 or 2026-11-23T15:00:00Z.',
    },
    'created-before': { value: 'TIME', help: 'Created before this time.' },
    metadata: { value: 'KEY=VALUE', multiple: true, help: 'Only letters with this entry. May be repeated.' },
    limit: { value: 'N', help: 'At most so many. Default: 20.' },
  },
  examples: ['bluejay mails list', 'bluejay mails list --status failed --limit 100', 'bluejay mails list --json'],
  async run(context) {
    const { text, out, signal } = context;
    const limit = readNumber(text('limit') ?? '20', '--limit');
    const filter = { ...readFilter(context), limit: Math.min(limit, maxPerPage) };
    const { bluejay } = await connect(context);
    const mails = await bluejay.mails.list(filter, { signal }).toArray({ limit });
    out.result(mails, () =>
      table(
        mails.map(({ mailJobId, status, createdAt, serviceType, totalCents, externalId }) => [
          ...[mailJobId, status, localTime(createdAt), serviceType, euros(totalCents), plain(externalId ?? '')],
        ]),
        [4],
      ),
    );
    if (mails.length === 0) out.note('There are no such letters.');
  },
};

function readFilter({ text, all }: Input): FilterOf<'listMails'> {
  const metadata = all('metadata').map((entry) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(entry) ?? [];
    if (key === undefined) throw new UsageError(`--metadata must be KEY=VALUE, not "${entry}".`);
    return [key, value];
  });
  const given = {
    status: text('status'),
    externalId: text('external-id'),
    serviceType: text('service'),
    zone: text('zone'),
    createdAfter: readTime(text('created-after'), '--created-after'),
    createdBefore: readTime(text('created-before'), '--created-before'),
    metadata: metadata.length > 0 ? Object.fromEntries(metadata) : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Reads a time or a day, without a zone in that of the machine. Throws UsageError. */
function readTime(text: string | undefined, flag: string): string | undefined {
  if (text === undefined) return undefined;
  // A day alone would be midnight in UTC.
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
  if (!/^\d{4}-/.test(text) || Number.isNaN(at.getTime())) {
    throw new UsageError(`${flag} must be a time such as 2026-11-23 or 2026-11-23T15:00:00Z, not "${text}".`);
  }
  return at.toISOString();
}

const get: Command = {
  name: 'mails get',
  summary: 'Show a letter.',
  args: ['ID'],
  examples: ['bluejay mails get mj_…', 'bluejay mails get mj_… --json'],
  async run(context) {
    const { args, out, signal } = context;
    const { bluejay } = await connect(context);
    const mail = await bluejay.mails.get(args[0] ?? '', { signal });
    out.result(mail, () => describeMail(mail));
  },
};

const cancel: Command = {
  name: 'mails cancel',
  summary: 'Cancel a letter that is not printed yet, and refund it.',
  args: ['ID'],
  examples: ['bluejay mails cancel mj_…'],
  async run(context) {
    const { args, out, signal } = context;
    const { bluejay } = await connect(context);
    const mail = await bluejay.mails.cancel(args[0] ?? '', {}, { signal });
    out.result(mail, () => [`Cancelled ${mail.mailJobId}. Refunded ${euros(mail.refundedCents)}.`]);
  },
};

const timeline: Command = {
  name: 'mails timeline',
  summary: 'Show what happened to a letter.',
  args: ['ID'],
  examples: ['bluejay mails timeline mj_…'],
  async run(context) {
    const { args, out, signal } = context;
    const { bluejay } = await connect(context);
    const { data } = await bluejay.mails.timeline(args[0] ?? '', { signal });
    out.result(data, () =>
      table(data.map(({ at, kind, itemId, detail }) => [localTime(at), kind, itemId ?? '', describeDetail(detail)])),
    );
  },
};

/** The commands on letters. */
export const mailsCommands: readonly Command[] = [list, get, cancel, timeline];

function describeMail(mail: Schemas['MailJob']): string[] {
  const reference = mail.externalId === null ? [] : [['Reference', plain(mail.externalId)]];
  const failure = mail.failure === null ? [] : [['Failure', `${mail.failure.code}: ${plain(mail.failure.message)}`]];
  const rows = [
    ['Letter', mail.mailJobId],
    ['Status', mail.status],
    ...reference,
    ...failure,
    ['Mode', mail.mode],
    ['Service', `${mail.serviceType}, ${mail.zone}, ${count(mail.pages, 'page')}`],
    ['Price', euros(mail.totalCents)],
    ['To the post', localTime(mail.dropAt)],
    ['Cancellable', mail.cancellableUntil === null ? 'no' : `until ${localTime(mail.cancellableUntil)}`],
  ];
  const recipients = mail.recipients.map(({ itemId, status, name, line1, zip, city, country }) => [
    ...['', itemId, status, plain(`${name}, ${line1}, ${zip} ${city}, ${country}`)],
  ]);
  return [...table(rows), 'Recipients', ...table(recipients)];
}

function describeDetail(detail: Schemas['TimelineEntry']['detail']): string {
  const known = Object.entries(detail).filter(([, value]) => value !== null);
  return plain(known.map(([name, value]) => `${name}=${value}`).join(' '));
}

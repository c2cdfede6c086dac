import { confirmSpending } from '../program/ask.ts';
import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { count, euros, localTime, type Output, plain } from '../program/output.ts';
import type { ResultOf } from '../sdk.ts';
import { letterFlags, readLetterFlags, readRecipients, recipientFlags } from './letter-flags.ts';
import { readNumber } from './quote.ts';

type Receipt = ResultOf<'createMail'>;

/** `send` sends a file as a letter. */
export const sendCommand: Command = {
  name: 'send',
  summary: 'Send a file as a letter.',
  args: ['FILE'],
  flags: {
    ...recipientFlags,
    ...letterFlags,
    pages: { value: 'N', help: 'Pages of the file. Default: counted by a check.' },
    'external-id': { value: 'TEXT', help: 'Your reference. A repeat with the same one does not send again.' },
    clock: { value: 'ID', help: 'The test clock that a test letter follows, clk_…. See bluejay sandbox clock.' },
    'dry-run': { help: 'Check and price the letter, but do not send it.' },
    yes: { short: 'y', help: 'Send a live letter without asking.' },
  },
  examples: [
    'bluejay send letter.pdf --to adr_… --dry-run',
    'bluejay send letter.pdf --name "Ada Peeters" --line1 "Rue Haute 1" --zip 1000 --city Bruxelles',
    'bluejay send letter.pdf --to-json recipients.json --service registered --yes',
  ],
  notes: ['With a test key nothing is printed, and play money pays. A live letter shows its price and asks first.'],
  async run(context) {
    const { args, text, has, out, signal } = context;
    const recipients = await readRecipients(context);
    const pages = text('pages');
    const externalId = text('external-id');
    const sandboxClockId = text('clock');
    const letter = {
      recipients,
      ...readLetterFlags(context),
      ...(pages && { pages: readNumber(pages, '--pages') }),
      ...(externalId && { externalId }),
      ...(sandboxClockId && { sandboxClockId }),
    };
    const { bluejay } = await connect(context);
    const file = args[0] ?? '';
    const isChecked = has('dry-run');
    const checked = await bluejay.mails.sendFile(file, { ...letter, dryRun: true }, { signal });
    warnOf(checked, out);
    if (isChecked) {
      out.result(checked, () => [`${describe(checked)}. Not sent (dry run).`]);
      if (!checked.balanceSufficient) out.warn('The wallet cannot pay this letter. See bluejay wallet.');
      return;
    }
    if (checked.mode === 'live') {
      await confirmSpending(
        context,
        `Send ${count(checked.recipientCount, 'letter')} for ${euros(checked.totalCents)}`,
      );
    }
    const { zone, serviceType, files } = checked;
    // The bytes that were checked, at most at the price that was shown.
    const seen = files.map(({ s3Key, etag }) => ({ s3Key, ...(etag && { etag }) }));
    const body = { ...letter, zone, serviceType, pages: checked.pages, files: seen };
    const sent = await bluejay.mails.create({ ...body, maxTotalCents: checked.totalCents }, { signal });
    out.result(sent, () => [
      sent.duplicate ? `Sent before: ${sent.mailJobId}` : `Sent ${sent.mailJobId}`,
      `${describe(sent)}. To the post ${localTime(sent.dropAt)}.`,
    ]);
    const differences = sent.payloadMatches ? [] : findDifferences(checked, sent);
    if (differences.length > 0)
      out.warn(`It differs from this one in: ${differences.join(', ')}. This one was not sent.`);
    out.note(`Next: bluejay mails get ${sent.mailJobId}`);
  },
};

function describe(mail: Receipt): string {
  const what = [mail.serviceType, count(mail.pages, 'page'), count(mail.recipientCount, 'recipient')].join(', ');
  return `${mail.mode === 'test' ? 'Test letter' : 'Letter'}: ${what}, ${euros(mail.totalCents)}`;
}

/** Returns in what a letter that was sent before differs. Its files have another key each time they are uploaded. */
function findDifferences(wanted: Receipt, sent: Receipt): string[] {
  const describe = (mail: Receipt) => ({
    recipients: mail.recipients.map(({ name, line1, line2, zip, city, country }) => [
      ...[name, line1, line2, zip, city, country],
    ]),
    service: [mail.serviceType, mail.acknowledgmentReceipt],
    zone: mail.zone,
    pages: mail.pages,
    color: mail.color,
    doubleSided: mail.doubleSided,
    file: mail.files.map(({ filename, sizeBytes }) => [filename, sizeBytes]),
  });
  const [a, b] = [describe(wanted), describe(sent)];
  return Object.keys(a).filter(
    (key) => JSON.stringify(a[key as keyof typeof a]) !== JSON.stringify(b[key as keyof typeof b]),
  );
}

function warnOf({ warnings }: Receipt, out: Output): void {
  for (const { message } of warnings) out.warn(`Warning: ${plain(message)}`);
}

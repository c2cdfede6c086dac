// Compiled by lint, never run: each wrong line must not compile.
import { Bluejay, type EntryOf, type WebhookEvent } from '#scripts/sdk/typescript/src/index.ts';

declare const bluejay: Bluejay;
declare const event: WebhookEvent;
const recipients = [{ name: 'Ada', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' }];

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only for `true`. */
function holds<_Claim extends true>(): void {}

export async function answersAreTyped(): Promise<void> {
  const mail = await bluejay.mails.get('mj_1');
  holds<Equal<typeof mail.mailJobId, string>>();
  holds<Equal<typeof mail.status, 'queued' | 'printed' | 'posted' | 'delivered' | 'failed'>>();
  const letter = { zone: 'NATIONAL', serviceType: 'standard', pages: 1, files: [{ s3Key: 'u' }], recipients } as const;
  const sent = await bluejay.mails.create({ ...letter, files: [{ s3Key: 'u' }], recipients });
  holds<Equal<typeof sent.mailJobId, string>>();
  const dry = await bluejay.mails.create({ ...letter, files: [{ s3Key: 'u' }], recipients, dryRun: true });
  holds<Equal<typeof dry.mailJobId, string | null>>();
  const page = await bluejay.mails.list({ status: 'queued' });
  holds<Equal<typeof page.nextCursor, string | null>>();
  for await (const entry of bluejay.mails.list()) holds<Equal<typeof entry, EntryOf<'listMails'>>>();
  const [json, csv] = [
    await bluejay.wallet.statement('2026-03'),
    await bluejay.reports.spend({ from: '', to: '', format: 'csv' }),
  ];
  holds<Equal<typeof csv, string>>();
  holds<Equal<typeof json.month, string>>();
  if (event.event === 'MAIL_POSTED') holds<Equal<typeof event.postedAt, string>>();
}

export function wrongCallsDoNotCompile(): void {
  // @ts-expect-error no key
  new Bluejay({ baseUrl: 'https://a.example' });
  // @ts-expect-error no such status
  bluejay.mails.list({ status: 'lost' });
  // @ts-expect-error no such field
  bluejay.mails.create({ zone: 'NATIONAL', serviceType: 'standard', recipients, colour: true });
  // @ts-expect-error recipients are missing
  bluejay.mails.sendFile('letter.pdf', { serviceType: 'prior' });
  // @ts-expect-error sendFile sets the files
  bluejay.mails.sendFile('letter.pdf', { recipients, files: [] });
  // @ts-expect-error ids are text
  bluejay.mails.cancel(1);
  // @ts-expect-error no such operation
  bluejay.mails.remove('mj_1');
}

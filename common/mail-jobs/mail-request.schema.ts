import { z } from 'zod';
import { homeCountry } from '../countries.ts';
import { serviceTypes, zones } from '../pricing/tariff.schema.ts';
import { addressFields, checkZip, lineOfText } from '../text.schema.ts';
import { TargetUrl } from '../webhooks/webhook.schema.ts';
import { maxLetter } from './mail-limits.ts';

/** A recipient or a sender, as a request gives it. */
const RequestAddress = z.strictObject(addressFields);

const RequestFile = z.strictObject({
  s3Key: lineOfText(1_024),
  filename: lineOfText(255).nullish(),
  mimeType: lineOfText(100).nullish(),
  sizeBytes: z.int().min(1).nullish(),
});

/** What a price depends on; the same in a quote and in a mail job. */
export const letterFields = {
  zone: z.enum(zones),
  serviceType: z.enum(serviceTypes),
  pages: z.int().min(1).max(maxLetter.pages),
  color: z.boolean().nullish(),
  acknowledgmentReceipt: z.boolean().nullish(),
};

/** The body of POST /v1/quote. */
export const QuoteRequest = z.strictObject({
  ...letterFields,
  recipientCount: z.int().min(1).max(maxLetter.recipients).nullish(),
});
export type QuoteRequest = z.infer<typeof QuoteRequest>;

/** The body of POST /v1/mails. What must be looked up (uploads, tariff, balance, addresses' names) is judged later. */
export const MailRequest = z
  .strictObject({
    ...letterFields,
    scheduledDropAt: z.iso.datetime({ offset: true }).nullish(),
    recipients: z.array(RequestAddress).min(1).max(maxLetter.recipients),
    sender: RequestAddress.nullish(),
    files: z.array(RequestFile).min(1).max(maxLetter.files),
    externalId: lineOfText(255).nullish(),
    webhookUrl: TargetUrl.nullish(),
    dryRun: z.boolean().nullish(),
    maxTotalCents: z.int().min(0).nullish(),
  })
  .check(({ value, issues }) => {
    const report = (path: (string | number)[], message: string) =>
      issues.push({ code: 'custom', input: value, path, message });
    for (const [index, recipient] of value.recipients.entries()) {
      const isHome = recipient.country === homeCountry;
      if (value.zone === 'NATIONAL' && !isHome) {
        report(['recipients', index, 'country'], `Must be ${homeCountry} in the zone NATIONAL.`);
      }
      if (value.zone === 'INTERNATIONAL' && isHome) {
        report(['recipients', index, 'country'], `Must not be ${homeCountry} in the zone INTERNATIONAL.`);
      }
      const zipProblem = checkZip(recipient);
      if (zipProblem) report(['recipients', index, 'zip'], zipProblem);
    }
    const zipProblem = value.sender ? checkZip(value.sender) : null;
    if (zipProblem) report(['sender', 'zip'], zipProblem);
  });
export type MailRequest = z.infer<typeof MailRequest>;

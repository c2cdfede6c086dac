import { z } from 'zod';
import { addressViewFields } from '#common/fields/text.schema.ts';
import { type ApiCall, readAnswer } from './api-call.ts';
import type { Letter } from './fields.schema.ts';
import { ToolError } from './tool-error.ts';
import { amountFields, WarningView } from './views.schema.ts';

const Line = z.string().nullable();
/** All null: an entry of the address book that the credential may not read. */
const ShownLines = z.object({ name: Line, line1: Line, line2: Line, zip: Line, city: Line, country: Line });

const StoredFile = z.object({ s3Key: z.string(), etag: z.string() });

const Receipt = z.looseObject({
  totalCents: z.int(),
  balanceSufficient: z.boolean(),
  dropAt: z.string(),
  amounts: z.looseObject(amountFields),
  warnings: z.array(WarningView),
  pages: z.int(),
  recipients: z.array(ShownLines),
  sender: ShownLines.nullable(),
  files: z.array(StoredFile),
  template: z.looseObject({ templateId: z.string(), version: z.int() }).nullable(),
});

/** The addresses as they will be printed. */
const PrintedLines = z.object(addressViewFields);
const Addresses = z.object({ recipients: z.array(PrintedLines), sender: PrintedLines });

export type DryRun = {
  receipt: z.infer<typeof Receipt> & z.infer<typeof Addresses>;
  /** What the letter refers to at this moment, which may be changed: bytes of files, addresses, a template. */
  references: object;
  /** The files of the letter, to send exactly these bytes; undefined with a template, which is typeset again. */
  files: z.infer<typeof StoredFile>[] | undefined;
};

/**
 * Checks and prices a letter without sending it. Throws like `ApiCall`, and FORBIDDEN when the credential may not read an
 * address that is to be printed: then a change after the user's agreement could not be seen.
 */
export async function dryRun(letter: Letter, call: ApiCall): Promise<DryRun> {
  const receipt = readAnswer(Receipt, await call('POST', '/v1/mails', { body: { ...letter, dryRun: true } }));
  const addresses = Addresses.safeParse(receipt);
  if (!addresses.success) {
    const message = 'Without the scope addresses or read, give all recipients and the sender in full.';
    throw new ToolError('FORBIDDEN', message);
  }
  const { template } = receipt;
  const files = letter.files && receipt.files;
  return { receipt: { ...receipt, ...addresses.data }, references: { ...addresses.data, template, files }, files };
}

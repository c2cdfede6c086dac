import { z } from 'zod';
import { type ApiCall, readAnswer } from './api-call.ts';
import type { Letter } from './fields.schema.ts';
import { amountFields, WarningView } from './views.schema.ts';

const Line = z.string().nullable();
const Address = z.object({ name: Line, line1: Line, line2: Line, zip: Line, city: Line, country: Line });

const Receipt = z.looseObject({
  totalCents: z.int(),
  balanceSufficient: z.boolean(),
  dropAt: z.string(),
  amounts: z.looseObject(amountFields),
  warnings: z.array(WarningView),
  pages: z.int(),
  recipients: z.array(Address),
  sender: Address.nullable(),
  template: z.looseObject({ templateId: z.string(), version: z.int() }).nullable(),
});

export type DryRun = {
  receipt: z.infer<typeof Receipt>;
  /** What a quote token stands for: the letter, and what it refers to at this moment. */
  payload: unknown;
};

/** Checks and prices a letter without sending it. Throws like `ApiCall`. */
export async function dryRun(letter: Letter, call: ApiCall): Promise<DryRun> {
  const receipt = readAnswer(Receipt, await call('POST', '/v1/mails', { body: { ...letter, dryRun: true } }));
  const { recipients, sender, template } = receipt;
  return { receipt, payload: payloadOf(letter, { recipients, sender, template }) };
}

/**
 * Returns the payload of a letter without references, or null when it has some: an entry of the address book, the
 * default sender or a template may be changed between quote and send, so only another dry run tells.
 */
export function payloadWithoutReferences(letter: Letter): unknown {
  return hasReferences(letter) ? null : payloadOf(letter, null);
}

function hasReferences({ recipients, sender, templateId }: Letter): boolean {
  return (
    templateId !== undefined || sender === undefined || [...recipients, sender].some((each) => 'addressId' in each)
  );
}

function payloadOf(letter: Letter, references: object | null): unknown {
  return { letter, references: hasReferences(letter) ? references : null };
}

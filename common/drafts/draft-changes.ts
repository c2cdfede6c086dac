import { AppError } from '../errors.ts';
import { mailJobLimits } from '../mail-jobs/model/mail-request.schema.ts';
import type { PostalAddress } from '../organizations/organization.model.ts';
import { randomBase32, sha256Hex } from '../secrets.ts';
import type { DraftRecipient, DraftRecord, PastedAddress } from './draft.model.ts';
import { parseAddresses } from './parse-address.ts';
import type { DraftChange } from './save-draft.ts';

type DraftOptions = Pick<DraftRecord, 'serviceType' | 'color' | 'doubleSided' | 'acknowledgmentReceipt' | 'dropOn'> &
  Partial<Pick<DraftRecord, 'senderId'>>;

/** Sets what is chosen about printing and posting, and the sender. */
export const withOptions =
  (options: DraftOptions): DraftChange =>
  () =>
    options;

/** Adds recipients. One that is there already is not added again. Throws LIMIT_REACHED beyond 100. */
export function withRecipients(addresses: readonly PostalAddress[]): DraftChange {
  return ({ recipients }) => ({ recipients: addAll(recipients, addresses) });
}

function addAll(recipients: readonly DraftRecipient[], addresses: readonly PostalAddress[]): DraftRecipient[] {
  const all = [...recipients];
  for (const address of addresses) {
    if (!all.some((known) => isSameAddress(known, address))) all.push({ recipientId: newPartId(), ...address });
  }
  if (all.length > mailJobLimits.recipients) throw new AppError('LIMIT_REACHED');
  return all;
}

/** Returns a key of recipients, to compare those that a letter has values of with those of its draft. */
export function recipientsKey({ recipients }: Pick<DraftRecord, 'recipients'>): string {
  return sha256Hex(JSON.stringify(recipients.map((each) => addressFields.map((field) => each[field]))));
}

/** Returns whether the letter of a template has values of recipients that the draft no longer has. */
export function isMadeForOthers(draft: Pick<DraftRecord, 'recipients' | 'template'>): boolean {
  const { madeFor } = draft.template ?? {};
  return madeFor !== undefined && madeFor !== recipientsKey(draft);
}

const addressFields = ['name', 'line1', 'line2', 'zip', 'city', 'country'] as const;

/** Returns whether two addresses are equal in all that is printed. */
export function isSameAddress(left: PostalAddress, right: PostalAddress): boolean {
  return addressFields.every((field) => left[field] === right[field]);
}

/** Corrects a recipient. One that another tab removed is not added again. */
export function withCorrection(recipientId: string, address: PostalAddress): DraftChange {
  return ({ recipients }) => ({
    recipients: recipients.map((each) => (each.recipientId === recipientId ? { recipientId, ...address } : each)),
  });
}

export function withoutRecipient(recipientId: string): DraftChange {
  return ({ recipients }) => ({ recipients: recipients.filter((each) => each.recipientId !== recipientId) });
}

/** Replaces the pasted addresses that wait to be confirmed. */
export function withPasted(text: string): DraftChange {
  return () => ({ pasted: parseAddresses(text).map((parsed) => ({ pastedId: newPartId(), ...parsed })) });
}

/** Adds a pasted address as it was confirmed or corrected. */
export function withConfirmed(pastedId: string, address: PostalAddress): DraftChange {
  return ({ recipients, pasted }) => ({
    recipients: addAll(recipients, [address]),
    pasted: pasted.filter((each) => each.pastedId !== pastedId),
  });
}

/** Adds the pasted addresses that `toAddress` accepts. The others still wait. */
export function withAllConfirmed(toAddress: (pasted: PastedAddress) => PostalAddress | null): DraftChange {
  return ({ recipients, pasted }) => ({
    recipients: addAll(
      recipients,
      pasted.flatMap((each) => toAddress(each) ?? []),
    ),
    pasted: pasted.filter((each) => toAddress(each) === null),
  });
}

export function withoutPasted(pastedId: string): DraftChange {
  return ({ pasted }) => ({ pasted: pasted.filter((each) => each.pastedId !== pastedId) });
}

/** Moves a file one place up or down. The first stays first and the last stays last. */
export function withMovedFile(s3Key: string, direction: 'up' | 'down'): DraftChange {
  return ({ files }) => {
    const from = files.findIndex((file) => file.s3Key === s3Key);
    const to = from + (direction === 'up' ? -1 : 1);
    const [moved, neighbour] = [files[from], files[to]];
    if (!moved || !neighbour) return {};
    return { files: files.with(from, neighbour).with(to, moved) };
  };
}

function newPartId(): string {
  return randomBase32(10);
}

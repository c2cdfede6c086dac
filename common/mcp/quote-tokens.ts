import { hash, randomBytes } from 'node:crypto';
import { type Clock, plusMs } from '#common/clock.ts';
import type { Signer } from '#common/secrets.ts';
import { ToolError } from './tool-error.ts';

/** What a token stands for. */
export type Quoted = {
  /** The letter as the caller gave it. */
  letter: unknown;
  /** What it referred to when it was quoted. */
  references: unknown;
  /** Cents: the most that this letter may cost. */
  totalCents: number;
};

/** A genuine token for a letter. */
export type Quote = {
  /** Of the letter that this token sends, so that a repeat with the token is a repeat of the same letter. */
  externalId: string;
  totalCents: number;
  isExpired: boolean;
  /** Returns whether the letter referred to the same when it was quoted. */
  isFor(references: unknown): boolean;
};

export type QuoteTokens = {
  /** Returns a token that stands for exactly this letter, and until when it does: for 30 minutes. */
  issue(quoted: Quoted): { quoteToken: string; expiresAt: Date };
  /**
   * Reads a token that comes with a letter. Throws ToolError: QUOTE_INVALID for a token of another account or of none,
   * QUOTE_MISMATCH for another letter.
   */
  read(quoteToken: string, letter: unknown): Quote;
};

/** `account`: whose tokens these are. A token of another account is invalid. */
export type QuoteTokenOptions = { signer: Signer; clock: Clock; account: string };

const lifetimeMs = 30 * 60_000;
const prefix = 'bjq_';
/** Of the parts of a token, in bytes. Both numbers are integers of 48 bits. */
const [timeBytes, totalBytes, nonceBytes, digestBytes, signatureBytes] = [6, 6, 12, 32, 32];
const letterAt = timeBytes + totalBytes + nonceBytes;
const referencesAt = letterAt + digestBytes;
const signedBytes = referencesAt + digestBytes;

/**
 * Creates quote tokens, which need no storage: the expiry in Unix milliseconds, the total, a random number that makes
 * every token unique, the SHA-256 digests of letter and references, and an HMAC of these and the account.
 */
export function createQuoteTokens({ signer, clock, account }: QuoteTokenOptions): QuoteTokens {
  const textOf = (signed: Buffer) => JSON.stringify([account, signed.toString('hex')]);
  return {
    issue({ letter, references, totalCents }) {
      const expiresAt = plusMs(clock.now(), lifetimeMs);
      const numbers = Buffer.alloc(timeBytes + totalBytes);
      numbers.writeUIntBE(expiresAt.getTime(), 0, timeBytes);
      numbers.writeUIntBE(totalCents, timeBytes, totalBytes);
      const signed = Buffer.concat([numbers, randomBytes(nonceBytes), digestOf(letter), digestOf(references)]);
      const token = Buffer.concat([signed, signer.sign(textOf(signed))]);
      return { quoteToken: prefix + token.toString('base64url'), expiresAt };
    },
    read(quoteToken, letter) {
      const bytes = Buffer.from(quoteToken.slice(prefix.length), 'base64url');
      const [signed, signature] = [bytes.subarray(0, signedBytes), bytes.subarray(signedBytes)];
      // Decoding ignores characters outside of the alphabet, so one token could be written in many ways.
      const isCanonical = quoteToken === prefix + bytes.toString('base64url');
      if (!isCanonical || !signer.isSigned(textOf(signed), signature, signatureBytes)) {
        throw new ToolError('QUOTE_INVALID', 'The quoteToken is not one of prepare_letter for this account.');
      }
      const externalId = `mcp-${hash('sha256', quoteToken).slice(0, 40)}`;
      if (!signed.subarray(letterAt, referencesAt).equals(digestOf(letter))) {
        const message = `The letter differs from the one that was prepared. If that one was sent, its externalId is ${externalId}.`;
        throw new ToolError('QUOTE_MISMATCH', message);
      }
      return {
        externalId,
        totalCents: signed.readUIntBE(timeBytes, totalBytes),
        isExpired: signed.readUIntBE(0, timeBytes) <= clock.now().getTime(),
        isFor: (references) => signed.subarray(referencesAt).equals(digestOf(references)),
      };
    },
  };
}

function digestOf(value: unknown): Buffer {
  return hash('sha256', canonicalJson(value), 'buffer');
}

/** Returns JSON in which the order of fields does not matter. Fields that are undefined are left out. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

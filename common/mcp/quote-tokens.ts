import { hash, randomBytes } from 'node:crypto';
import { type Clock, plusMs } from '#common/clock.ts';
import type { Signer } from '#common/secrets.ts';
import { ToolError } from './tool-error.ts';

export type QuoteTokens = {
  /** Returns a token that stands for exactly this payload, and until when it does: for 30 minutes. */
  issue(payload: unknown): { quoteToken: string; expiresAt: Date };
  /**
   * Returns the externalId that belongs to a token, so that a repeat with the token is a repeat of the same letter.
   * Throws ToolError: QUOTE_INVALID for a token of another account or of none, QUOTE_EXPIRED after 30 minutes,
   * QUOTE_MISMATCH for another payload.
   */
  redeem(quoteToken: string, payload: unknown): { externalId: string };
};

/** `account`: whose tokens these are. A token of another account is invalid. */
export type QuoteTokenOptions = { signer: Signer; clock: Clock; account: string };

const lifetimeMs = 30 * 60_000;
const prefix = 'bjq_';
const [timeBytes, nonceBytes, hashBytes, signatureBytes] = [6, 12, 32, 32];
const signedBytes = timeBytes + nonceBytes + hashBytes;

/**
 * Creates quote tokens, which need no storage: the expiry in Unix milliseconds, a random number that makes every token
 * unique, the SHA-256 digest of the payload, and an HMAC of these and the account.
 */
export function createQuoteTokens({ signer, clock, account }: QuoteTokenOptions): QuoteTokens {
  const textOf = (signed: Buffer) => JSON.stringify([account, signed.toString('hex')]);
  return {
    issue(payload) {
      const expiresAt = plusMs(clock.now(), lifetimeMs);
      const time = Buffer.alloc(timeBytes);
      time.writeUIntBE(expiresAt.getTime(), 0, timeBytes);
      const signed = Buffer.concat([time, randomBytes(nonceBytes), digestOf(payload)]);
      const token = Buffer.concat([signed, signer.sign(textOf(signed))]);
      return { quoteToken: prefix + token.toString('base64url'), expiresAt };
    },
    redeem(quoteToken, payload) {
      const bytes = Buffer.from(quoteToken.slice(prefix.length), 'base64url');
      const [signed, signature] = [bytes.subarray(0, signedBytes), bytes.subarray(signedBytes)];
      // Decoding ignores characters outside of the alphabet, so one token could be written in many ways.
      const isCanonical = quoteToken === prefix + bytes.toString('base64url');
      if (!isCanonical || !signer.isSigned(textOf(signed), signature, signatureBytes)) {
        throw new ToolError('QUOTE_INVALID', 'The quoteToken is not one of prepare_letter for this account.');
      }
      if (signed.readUIntBE(0, timeBytes) <= clock.now().getTime()) {
        throw new ToolError('QUOTE_EXPIRED', 'The quoteToken is older than 30 minutes.');
      }
      if (!signed.subarray(timeBytes + nonceBytes).equals(digestOf(payload))) {
        throw new ToolError('QUOTE_MISMATCH', 'The letter differs from the one that was prepared.');
      }
      return { externalId: `mcp-${hash('sha256', quoteToken).slice(0, 40)}` };
    },
  };
}

function digestOf(payload: unknown): Buffer {
  return hash('sha256', canonicalJson(payload), 'buffer');
}

/** Returns JSON in which the order of fields does not matter. Fields that are undefined are left out. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

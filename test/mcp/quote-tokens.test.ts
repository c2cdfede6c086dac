// Level: unit
import { createQuoteTokens } from '#common/mcp/quote-tokens.ts';
import { createKeyRing } from '#common/secrets.ts';
import { describe, expect, standingClock, test } from '../support/jest.ts';

const ring = (fill: number) => `k${fill}:${Buffer.alloc(32, fill).toString('base64')}`;
const minuteMs = 60_000;

describe('quote tokens', () => {
  const clock = standingClock(new Date('2026-03-02T09:00:00Z'));
  const tokensOf = (account: string, keys = [ring(1)]) =>
    createQuoteTokens({ signer: createKeyRing(keys).signer('mcp-quotes'), clock, account });
  const tokens = tokensOf('org_1:test');
  const letter = { pages: 1, recipients: [{ name: 'Ada', city: 'Gent' }], color: undefined };
  const references = { sender: { name: 'Bob' } };
  const quoted = { letter, references, totalCents: 242 };
  const code = (read: () => unknown) => {
    try {
      read();
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test('a token stands for its letter and total, whatever the order of the fields', () => {
    const { quoteToken } = tokens.issue(quoted);
    const { externalId, totalCents } = tokens.read(quoteToken, letter);
    expect([externalId, totalCents]).toEqual([expect.stringMatching(/^mcp-[0-9a-f]{40}$/), 242]);
    const reordered = { recipients: [{ city: 'Gent', name: 'Ada' }], pages: 1 };
    expect(tokens.read(quoteToken, reordered).externalId).toBe(externalId);
  });

  test('it tells whether the letter still refers to the same', () => {
    const { isFor } = tokens.read(tokens.issue(quoted).quoteToken, letter);
    expect([references, { sender: { name: 'Eve' } }, {}, null].map(isFor)).toEqual([true, false, false, false]);
  });

  test('two tokens for the same letter have different externalIds', () => {
    const ids = [tokens.issue(quoted), tokens.issue(quoted)].map(
      ({ quoteToken }) => tokens.read(quoteToken, letter).externalId,
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('any change of the letter is QUOTE_MISMATCH', () => {
    const { quoteToken } = tokens.issue(quoted);
    const others: unknown[] = [
      { ...letter, pages: 2 },
      { ...letter, pages: '1' },
      { ...letter, color: false },
      { ...letter, recipients: [{ name: 'Ada', city: 'Gant' }] },
      { ...letter, recipients: [...letter.recipients, ...letter.recipients] },
      { ...letter, more: null },
      { ...letter, constructor: 'b' },
      null,
    ];
    for (const other of others) {
      expect([other, code(() => tokens.read(quoteToken, other))]).toEqual([other, 'QUOTE_MISMATCH']);
    }
  });

  test('it is valid for 30 minutes', () => {
    const { quoteToken, expiresAt } = tokens.issue(quoted);
    const issuedAt = clock.now();
    expect(expiresAt.getTime() - issuedAt.getTime()).toBe(30 * minuteMs);
    clock.advance(30 * minuteMs - 1);
    expect(tokens.read(quoteToken, letter).isExpired).toBe(false);
    clock.advance(1);
    expect(tokens.read(quoteToken, letter).isExpired).toBe(true);
    clock.set(issuedAt);
  });

  test('a changed, cut or foreign token is QUOTE_INVALID', () => {
    const { quoteToken } = tokens.issue(quoted);
    const flipped = [...quoteToken].map((letter, at) => {
      const other = letter === 'A' ? 'B' : 'A';
      return quoteToken.slice(0, at) + other + quoteToken.slice(at + 1);
    });
    const wrong = ['', 'bjq_', quoteToken.slice(4), quoteToken.slice(0, -1), `${quoteToken}A`, `${quoteToken}!`];
    for (const each of [...wrong, ...flipped]) {
      expect([each, code(() => tokens.read(each, letter))]).toEqual([each, 'QUOTE_INVALID']);
    }
    const foreign = [tokensOf('org_2:test'), tokensOf('org_1:live'), tokensOf('org_1:test', [ring(2)])];
    for (const each of foreign) expect(code(() => each.read(quoteToken, letter))).toBe('QUOTE_INVALID');
  });

  test('after a change of the encryption keys, tokens of the older key stay valid', () => {
    const { quoteToken } = tokens.issue(quoted);
    const rotated = tokensOf('org_1:test', [ring(2), ring(1)]);
    expect(code(() => rotated.read(quoteToken, letter))).toBeNull();
  });
});

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
  const payload = { letter: { pages: 1, recipients: [{ name: 'Ada', city: 'Gent' }], color: undefined } };
  const code = (redeem: () => unknown) => {
    try {
      redeem();
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test('a token stands for its payload, whatever the order of the fields', () => {
    const { quoteToken } = tokens.issue(payload);
    const { externalId } = tokens.redeem(quoteToken, payload);
    expect(externalId).toMatch(/^mcp-[0-9a-f]{40}$/);
    const reordered = { letter: { recipients: [{ city: 'Gent', name: 'Ada' }], pages: 1 } };
    expect(tokens.redeem(quoteToken, reordered)).toEqual({ externalId });
  });

  test('two tokens for the same payload have different externalIds', () => {
    const ids = [tokens.issue(payload), tokens.issue(payload)].map(
      ({ quoteToken }) => tokens.redeem(quoteToken, payload).externalId,
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('any change of the payload is QUOTE_MISMATCH', () => {
    const { quoteToken } = tokens.issue(payload);
    const { letter } = payload;
    const others: unknown[] = [
      { letter: { ...letter, pages: 2 } },
      { letter: { ...letter, pages: '1' } },
      { letter: { ...letter, color: false } },
      { letter: { ...letter, recipients: [{ name: 'Ada', city: 'Gant' }] } },
      { letter: { ...letter, recipients: [...letter.recipients, ...letter.recipients] } },
      { ...payload, more: null },
      null,
    ];
    for (const other of others) {
      expect([other, code(() => tokens.redeem(quoteToken, other))]).toEqual([other, 'QUOTE_MISMATCH']);
    }
  });

  test('it is valid for 30 minutes', () => {
    const { quoteToken, expiresAt } = tokens.issue(payload);
    const issuedAt = clock.now();
    expect(expiresAt.getTime() - issuedAt.getTime()).toBe(30 * minuteMs);
    clock.advance(30 * minuteMs - 1);
    expect(code(() => tokens.redeem(quoteToken, payload))).toBeNull();
    clock.advance(1);
    expect(code(() => tokens.redeem(quoteToken, payload))).toBe('QUOTE_EXPIRED');
    clock.set(issuedAt);
  });

  test('a changed, cut or foreign token is QUOTE_INVALID', () => {
    const { quoteToken } = tokens.issue(payload);
    const flipped = [...quoteToken].map((letter, at) => {
      const other = letter === 'A' ? 'B' : 'A';
      return quoteToken.slice(0, at) + other + quoteToken.slice(at + 1);
    });
    const wrong = ['', 'bjq_', quoteToken.slice(4), quoteToken.slice(0, -1), `${quoteToken}A`, `${quoteToken}!`];
    for (const each of [...wrong, ...flipped]) {
      expect([each, code(() => tokens.redeem(each, payload))]).toEqual([each, 'QUOTE_INVALID']);
    }
    const foreign = [tokensOf('org_2:test'), tokensOf('org_1:live'), tokensOf('org_1:test', [ring(2)])];
    for (const each of foreign) expect(code(() => each.redeem(quoteToken, payload))).toBe('QUOTE_INVALID');
  });

  test('after a change of the encryption keys, tokens of the older key stay valid', () => {
    const { quoteToken } = tokens.issue(payload);
    const rotated = tokensOf('org_1:test', [ring(2), ring(1)]);
    expect(code(() => rotated.redeem(quoteToken, payload))).toBeNull();
  });
});

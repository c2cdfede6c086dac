import { createHmac } from 'node:crypto';
import { areEqualDigests, type KeyRing, randomBase32, toBase32 } from '../secrets.ts';

/** What one grant hands out. Each text names its grant, so that it is found by one read of a primary key. */
export type TokenKind = 'code' | 'access' | 'refresh';

export type TokenPair = { accessToken: string; refreshToken: string };

const prefixes = { code: 'bjo', access: 'bja', refresh: 'bjr' } as const satisfies Record<TokenKind, string>;
/** 80 bits name the grant, 256 are the secret; a refresh token ends with a seal of 80 bits. */
const shapes = {
  code: /^bjo_([a-z2-7]{16})_[a-z2-7]{52}$/,
  access: /^bja_([a-z2-7]{16})_[a-z2-7]{52}$/,
  refresh: /^bjr_([a-z2-7]{16})_([a-z2-7]{52})([a-z2-7]{16})$/,
} as const satisfies Record<TokenKind, RegExp>;
const sealBytes = 10;

/** The grant that a text of this kind names; null when it cannot be one. Says nothing about whether it is genuine. */
export function grantIdOf(kind: TokenKind, text: string): string | null {
  return shapes[kind].exec(text)?.[1] ?? null;
}

export function newGrantId(): string {
  return randomBase32(10);
}

export type TokenMint = ReturnType<typeof createTokenMint>;

/** Makes codes and tokens. Every process of an installation has the same keys, and so makes the same successors. */
export function createTokenMint(keyRing: Pick<KeyRing, 'derive'>) {
  const key = keyRing.derive('oauth tokens');
  const hmac = (...parts: string[]) => createHmac('sha256', key).update(parts.join('.')).digest();
  const sealOf = (grantId: string, secret: string) => toBase32(hmac('seal', grantId, secret).subarray(0, sealBytes));
  const pairOf = (grantId: string, accessSecret: string, refreshSecret: string): TokenPair => ({
    accessToken: `${prefixes.access}_${grantId}_${accessSecret}`,
    refreshToken: `${prefixes.refresh}_${grantId}_${refreshSecret}${sealOf(grantId, refreshSecret)}`,
  });

  return {
    newCode: (grantId: string): string => `${prefixes.code}_${grantId}_${randomBase32(32)}`,

    newPair: (grantId: string): TokenPair => pairOf(grantId, randomBase32(32), randomBase32(32)),

    /**
     * The pair that follows a refresh token: always the same one, so that a lost answer can be given again although
     * nothing but hashes is stored. The random id of the grant is the salt.
     */
    successorsOf(grantId: string, refreshToken: string): TokenPair {
      const derive = (kind: TokenKind) => toBase32(hmac(kind, grantId, refreshToken));
      return pairOf(grantId, derive('access'), derive('refresh'));
    },

    /**
     * Whether a refresh token was once issued here. An ancestor of the live one is so told from a text that somebody
     * made up, without a list of all that ever were.
     */
    wasIssued(refreshToken: string): boolean {
      const [, grantId = '', secret = '', seal = ''] = shapes.refresh.exec(refreshToken) ?? [];
      return areEqualDigests(seal, sealOf(grantId, secret));
    },
  };
}

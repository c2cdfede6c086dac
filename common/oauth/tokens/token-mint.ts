import { areEqualDigests, type KeyRing, randomBase32, toBase32 } from '#common/secrets.ts';

/** The codes and tokens of a grant. Each contains the grant id, so it is found by primary key. */
export type TokenKind = 'code' | 'access' | 'refresh';

export type TokenPair = { accessToken: string; refreshToken: string };

const prefixes = { code: 'bjo', access: 'bja', refresh: 'bjr' } as const satisfies Record<TokenKind, string>;
/** 80 bits identify the grant and 256 bits are the secret. A refresh token ends with an 80-bit signature. */
const shapes = {
  code: /^bjo_([a-z2-7]{16})_[a-z2-7]{52}$/,
  access: /^bja_([a-z2-7]{16})_[a-z2-7]{52}$/,
  refresh: /^bjr_([a-z2-7]{16})_([a-z2-7]{52})([a-z2-7]{16})$/,
} as const satisfies Record<TokenKind, RegExp>;
const tagBytes = 10;

/** Returns the grant id in a code or token, or null if it is malformed. Does not check that it is genuine. */
export function grantIdOf(kind: TokenKind, text: string): string | null {
  return shapes[kind].exec(text)?.[1] ?? null;
}

export function newGrantId(): string {
  return randomBase32(10);
}

export type TokenMint = ReturnType<typeof createTokenMint>;

/** Creates codes and tokens. Processes with the same keys derive the same successors. */
export function createTokenMint(keyRing: Pick<KeyRing, 'signer'>) {
  const signer = keyRing.signer('oauth tokens');
  const tagOf = (signature: Buffer) => toBase32(signature.subarray(0, tagBytes));
  const taggedText = (grantId: string, secret: string) => ['seal', grantId, secret].join('.');
  const pairOf = (grantId: string, accessSecret: string, refreshSecret: string, tag: string): TokenPair => ({
    accessToken: `${prefixes.access}_${grantId}_${accessSecret}`,
    refreshToken: `${prefixes.refresh}_${grantId}_${refreshSecret}${tag}`,
  });
  const signedPair = (grantId: string, accessSecret: string, refreshSecret: string) =>
    pairOf(grantId, accessSecret, refreshSecret, tagOf(signer.sign(taggedText(grantId, refreshSecret))));

  return {
    newCode: (grantId: string): string => `${prefixes.code}_${grantId}_${randomBase32(32)}`,

    newPair: (grantId: string): TokenPair => signedPair(grantId, randomBase32(32), randomBase32(32)),

    /**
     * Derives the pair that follows a refresh token. It is deterministic, so a lost response can be repeated although
     * only hashes are stored. The random grant id is the salt.
     */
    successorsOf(grantId: string, refreshToken: string): TokenPair {
      const derive = (kind: TokenKind) => toBase32(signer.sign([kind, grantId, refreshToken].join('.')));
      return signedPair(grantId, derive('access'), derive('refresh'));
    },

    /**
     * Returns the successors under each key of the ring. During a key rotation, another process may have derived the
     * lost response with another key.
     */
    successorsUnderEveryKey(grantId: string, refreshToken: string): TokenPair[] {
      const deriveAll = (kind: TokenKind) => signer.signAll([kind, grantId, refreshToken].join('.')).map(toBase32);
      const accessSecrets = deriveAll('access');
      return deriveAll('refresh').map((secret, index) => {
        const tag = tagOf(signer.signAll(taggedText(grantId, secret))[index] ?? Buffer.alloc(0));
        return pairOf(grantId, accessSecrets[index] ?? '', secret, tag);
      });
    },

    /**
     * Returns whether this installation issued a refresh token. Tells an ancestor of the current token from an invented
     * one without a list of all issued tokens.
     */
    wasIssued(refreshToken: string): boolean {
      const [, grantId = '', secret = '', tag = ''] = shapes.refresh.exec(refreshToken) ?? [];
      const known = signer.signAll(taggedText(grantId, secret));
      return known.some((signature) => areEqualDigests(tag, tagOf(signature)));
    },
  };
}

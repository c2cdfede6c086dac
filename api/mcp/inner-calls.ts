import type { Request } from 'express';
import type { KeyRing } from '#common/secrets.ts';

/** Requests of the tools to the API of this installation. */
export type InnerCalls = {
  /** Returns the headers that prove a request to come from a tool, for the credential in `authorization`. */
  headersFor(authorization: string): Record<string, string>;
  /** Returns whether a request comes from a tool. */
  isInner(request: Request): boolean;
};

const headerName = 'x-bluejay-tool';

/**
 * Creates the proof that a request comes from a tool: a signature of its credential. A token for the tools alone is
 * refused by the rest of the API, except for what the tools do with it.
 */
export function createInnerCalls(keyRing: KeyRing): InnerCalls {
  const signer = keyRing.signer('mcp-inner-calls');
  return {
    headersFor: (authorization) => ({ [headerName]: signer.sign(authorization).toString('base64url') }),
    isInner(request) {
      const proof = Buffer.from(request.get(headerName) ?? '', 'base64url');
      return signer.isSigned(request.get('authorization') ?? '', proof);
    },
  };
}

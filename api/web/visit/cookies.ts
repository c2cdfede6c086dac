import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Signer } from '#common/secrets.ts';
import { accountKey } from '#common/sessions/failed-sign-ins.ts';

const yearMs = 365 * 24 * 3_600_000;

/** The two cookies of the web host: the session, and the accounts that this browser has signed in to before. */
export type Cookies = {
  /** Returns the ID of a session or of an anonymous visitor. Null when absent or malformed. */
  readSession(request: Request): string | null;
  /** Sets an ID for an anonymous visitor, to which CSRF tokens are bound. */
  beginVisit(response: Response): string;
  setSession(response: Response, id: string): void;
  endSession(response: Response): void;
  /** Returns the device ID of this browser for an account it has signed in to before, otherwise null. */
  readDevice(request: Request, email: string): string | null;
  rememberDevice(request: Request, response: Response, email: string): void;
};

const idPattern = /^[A-Za-z0-9_-]{43}$/;
/** Maximum number of accounts that a browser remembers, newest first. */
const maxDevices = 5;

/**
 * Creates the cookies. With `isHttps`, their names start with `__Host-`, so other hosts of the domain cannot set them.
 * Over plain HTTP, which is for local use, browsers refuse such names.
 */
export function createCookies({ isHttps, signer }: { isHttps: boolean; signer: Signer }): Cookies {
  const nameOf = (name: string) => (isHttps ? `__Host-${name}` : name);
  const [sessionName, deviceName] = [nameOf('bluejay-session'), nameOf('bluejay-devices')];
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps } as const;
  const textOf = (email: string, id: string) => `${accountKey(email)}:${id}`;
  const sign = (email: string, id: string) => signer.sign(textOf(email, id)).toString('base64url');

  const readDevices = (request: Request) => (readCookie(request, deviceName) ?? '').split('.').slice(0, maxDevices);
  const idOf = (entry: string, email: string) => {
    const [id = '', tag = ''] = entry.split('~');
    return signer.isSigned(textOf(email, id), Buffer.from(tag, 'base64url')) ? id : null;
  };

  return {
    readSession(request) {
      const id = readCookie(request, sessionName);
      return id !== null && idPattern.test(id) ? id : null;
    },
    beginVisit(response) {
      const id = randomBytes(32).toString('base64url');
      response.cookie(sessionName, id, attributes);
      return id;
    },
    setSession: (response, id) => void response.cookie(sessionName, id, attributes),
    endSession: (response) => void response.clearCookie(sessionName, attributes),
    readDevice(request, email) {
      for (const entry of readDevices(request)) {
        const id = idOf(entry, email);
        if (id !== null) return id;
      }
      return null;
    },
    rememberDevice(request, response, email) {
      const known = readDevices(request);
      const own = known.find((entry) => idOf(entry, email) !== null);
      const id = randomBytes(16).toString('base64url');
      const entries = [own ?? `${id}~${sign(email, id)}`, ...known.filter((entry) => entry !== '' && entry !== own)];
      response.cookie(deviceName, entries.slice(0, maxDevices).join('.'), { ...attributes, maxAge: yearMs });
    },
  };
}

/** Returns the first cookie with this name. */
function readCookie(request: Request, name: string): string | null {
  for (const pair of (request.get('cookie') ?? '').split(';')) {
    const separator = pair.indexOf('=');
    if (separator > 0 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return null;
}

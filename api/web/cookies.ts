import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { accountKey } from '../../common/sessions/sign-in.ts';

const yearMs = 365 * 24 * 3_600_000;

/** The two cookies of the web host: who is there, and which accounts this browser has signed in to before. */
export type Cookies = {
  /** The id of a session, or of a visitor without one; null when it was not sent or cannot be one of ours. */
  readSession(request: Request): string | null;
  /** Gives a visitor without a session an id that his forms' tokens are bound to. */
  beginVisit(response: Response): string;
  setSession(response: Response, id: string): void;
  endSession(response: Response): void;
  /** What an account counts this browser by when it has signed in to it before; null for any other. */
  readDevice(request: Request, email: string): string | null;
  rememberDevice(request: Request, response: Response, email: string): void;
};

const idPattern = /^[A-Za-z0-9_-]{43}$/;
/** Accounts that one browser remembers, the latest first. */
const maxDevices = 5;

/**
 * `isHttps` when people reach the host by TLS: the names then carry `__Host-`, so that no neighbouring host can set
 * them; by http, on the very machine, browsers take no such name.
 */
export function createCookies({ isHttps, key }: { isHttps: boolean; key: Buffer }): Cookies {
  const nameOf = (name: string) => (isHttps ? `__Host-${name}` : name);
  const [sessionName, deviceName] = [nameOf('bluejay-session'), nameOf('bluejay-devices')];
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps } as const;
  const sign = (email: string, id: string) =>
    createHmac('sha256', key)
      .update(`${accountKey(email)}:${id}`)
      .digest('base64url');

  const readDevices = (request: Request) => (readCookie(request, deviceName) ?? '').split('.').slice(0, maxDevices);
  const idOf = (entry: string, email: string) => {
    const [id = '', tag = ''] = entry.split('~');
    return areEqual(tag, sign(email, id)) ? id : null;
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

/** The first cookie of this name. */
function readCookie(request: Request, name: string): string | null {
  for (const pair of (request.get('cookie') ?? '').split(';')) {
    const separator = pair.indexOf('=');
    if (separator > 0 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return null;
}

function areEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

import type { Readable } from 'node:stream';
import type { Markup } from './markup.ts';

/** What goes with an answer whose browser signs in or out. */
type SessionChange =
  /** The id of the session that has begun, and the account that this browser knows from now on. */
  { begin: string; email: string } | { end: true };

/** A page. The frame around it is made by the mount. */
export type View = {
  kind: 'view';
  status: number;
  /** Of the window; the page's own `h1` says the same or more. */
  title: string;
  /** Everything inside `main`, with the one `h1`. */
  body: Markup;
  /** `full` has the navigation of the account; `wide` and `narrow` stand without it, `narrow` for pages that ask one thing. */
  layout: 'full' | 'wide' | 'narrow';
  /** Origins beside our own to which a form of the page may lead. */
  formActionOrigins: readonly string[];
  headers: Record<string, string>;
  session: SessionChange | null;
};

/** On to another page, by 303. */
export type Redirect = { kind: 'redirect'; location: string; session: SessionChange | null };

/** A file: shown, or saved under `filename` when there is one. */
export type Download = {
  kind: 'download';
  contentType: string;
  filename: string | null;
  /** Texts that are made while they are sent, or the file as it is. */
  body: Buffer | string | Readable | AsyncGenerator<string>;
};

export type Answer = View | Redirect | Download;

/** A page of the account or admin area. */
export function view(page: Pick<View, 'title' | 'body'> & Partial<Omit<View, 'kind'>>): View {
  return { kind: 'view', status: 200, layout: 'full', formActionOrigins: [], headers: {}, session: null, ...page };
}

/** `location` comes from `visit.href` for pages of ours, or is a whole address elsewhere. */
export function redirect(location: string, session: SessionChange | null = null): Redirect {
  return { kind: 'redirect', location, session };
}

/** A file in place of a page. */
export function download(file: Omit<Download, 'kind'>): Download {
  return { kind: 'download', ...file };
}

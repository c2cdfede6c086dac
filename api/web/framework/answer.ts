import type { Readable } from 'node:stream';
import type { LayoutKind } from '#api/web/design/layout.ts';
import type { Markup } from '#api/web/design/markup.ts';

/** How a response changes the session cookies. */
type SessionChange =
  /** `begin`: ID and account of a new session. `remember`: only marks this browser as known to the account. */
  { begin: string; email: string } | { end: true } | { remember: string };

/** A page. `mountPages` adds the layout. */
export type View = {
  kind: 'view';
  status: number;
  /** Title of the window. */
  title: string;
  /** Content of `main`, with exactly one `h1`. */
  body: Markup;
  layout: LayoutKind;
  /** Other origins to which a form of the page may redirect. */
  formActionOrigins: readonly string[];
  headers: Record<string, string>;
  session: SessionChange | null;
  /** Runs after the response is sent, so the response time reveals nothing about it. */
  afterwards: (() => Promise<void>) | null;
};

/** A redirect with status 303. */
export type Redirect = { kind: 'redirect'; location: string; session: SessionChange | null };

/** A file. Saved as `filename`, or shown in the browser when that is null. */
export type Download = {
  kind: 'download';
  contentType: string;
  filename: string | null;
  /** A generator is sent while it runs. */
  body: Buffer | string | Readable | AsyncGenerator<string>;
};

export type Answer = View | Redirect | Download;

/** Returns a page. Defaults: status 200, full layout, no session change. */
export function view(page: Pick<View, 'title' | 'body'> & Partial<Omit<View, 'kind'>>): View {
  return {
    kind: 'view',
    status: 200,
    layout: 'full',
    formActionOrigins: [],
    headers: {},
    session: null,
    afterwards: null,
    ...page,
  };
}

/** Returns a redirect. `location` is a result of `visit.href` or an absolute URL of another site. */
export function redirect(location: string, session: SessionChange | null = null): Redirect {
  return { kind: 'redirect', location, session };
}

/** Returns a file instead of a page. */
export function download(file: Omit<Download, 'kind'>): Download {
  return { kind: 'download', ...file };
}

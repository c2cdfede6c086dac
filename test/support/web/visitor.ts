/** A response of the web host. */
export type WebAnswer = { status: number; headers: Headers; text: string; location: string | null };

type Fields = Record<string, string | readonly string[]>;

/** A browser without JavaScript. It keeps cookies and does not follow redirects. */
export type Visitor = {
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<WebAnswer>;
  /** Posts these fields. */
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<WebAnswer>;
  /** Opens a page and submits its form for `action`, with its hidden fields and these fields. */
  send(path: string, action: string, fields: Fields): Promise<WebAnswer>;
  signIn(user: { email: string; password: string }, path?: string): Promise<WebAnswer>;
};

export function createVisitor(url: string, cookies = new Map<string, string>()): Visitor {
  async function ask(path: string, init: RequestInit = {}): Promise<WebAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string>) };
    const answer = await fetch(url + path, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) keep(cookies, line);
    const { status } = answer;
    return { status, headers: answer.headers, text: await answer.text(), location: answer.headers.get('location') };
  }

  const visitor: Visitor = {
    cookies,
    get: (path, headers) => ask(path, headers ? { headers } : {}),
    post: (path, fields, headers = {}) => ask(path, { method: 'POST', body: encode(fields), headers }),
    async send(path, action, fields) {
      const page = await visitor.get(path);
      const form = formsOf(page.text).find(
        (candidate) => candidate.action.replace(/^\/(en|fr|nl|de)\//, '/') === action,
      );
      if (!form) throw new Error(`${path} (${page.status}) has no form to ${action}`);
      return await visitor.post(form.action, { ...form.hidden, ...fields });
    },
    signIn: ({ email, password }, path = '/sign-in') => visitor.send(path, '/sign-in', { email, password }),
  };
  return visitor;
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}

function encode(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value] as [string, string]),
    ),
  );
}

export type WebForm = { action: string; hidden: Record<string, string>; text: string };

/** Returns the forms of a page that post. */
export function formsOf(page: string): WebForm[] {
  return [...page.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', text = '']) => ({
      action: readEscaped(action),
      text,
      hidden: Object.fromEntries(
        [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
          name,
          readEscaped(value),
        ]),
      ),
    }),
  );
}

/** Returns the first group of each match on a page of a list and on those after it. */
export async function walkPages(visitor: Visitor, path: string, pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  let next: string | undefined = path;
  for (let page = 0; next !== undefined && page < 5; page += 1) {
    const { text } = await visitor.get(next);
    found.push(...[...text.matchAll(pattern)].map(([, group = '']) => group));
    const [, href] = /class="button plain" href="([^"]*cursor=[^"]*)"/.exec(text) ?? [];
    next = href === undefined ? undefined : readEscaped(href);
  }
  return found;
}

/** Unescapes HTML. */
function readEscaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

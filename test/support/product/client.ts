export type Answer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of the tests check the bodies
  body: any;
};

export type Client = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  request(method: string, path: string, init?: RequestInit): Promise<Answer>;
};

/** Creates an HTTP client of the product, with or without a key. */
export function createClient(url: string, key?: string): Client {
  async function request(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(url + path, { ...init, method, headers: { ...authorization, ...init.headers } });
    // An event stream never ends.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  const withBody = (body: unknown, headers: Record<string, string> = {}): RequestInit =>
    body === undefined
      ? { headers }
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };

  return {
    get: (path, headers = {}) => request('GET', path, { headers }),
    post: (path, body, headers) => request('POST', path, withBody(body, headers)),
    patch: (path, body) => request('PATCH', path, withBody(body)),
    delete: (path) => request('DELETE', path),
    request,
  };
}

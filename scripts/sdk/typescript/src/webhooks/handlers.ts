import { WebhookVerificationError } from '../errors.ts';
import { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './verify.ts';

/** What to do with a genuine event. When it throws, the delivery is answered 500 and repeated later. */
export type OnEvent = (event: WebhookEvent) => unknown;

/** Larger than any event. */
const maxBytes = 65_536;

/**
 * Creates a handler of Next.js route files, and of all servers that pass a `Request` and take a `Response`:
 * `export const POST = nextWebhook(secret, onEvent)`.
 */
export function nextWebhook(secret: string, onEvent: OnEvent): (request: Request) => Promise<Response> {
  return async (request) => new Response(null, { status: await receive(request, secret, onEvent) });
}

/** Creates a handler of Hono: `app.post('/hooks', honoWebhook(secret, onEvent))`. */
export function honoWebhook(secret: string, onEvent: OnEvent): (context: HonoContext) => Promise<Response> {
  const handle = nextWebhook(secret, onEvent);
  return (context) => handle(context.req.raw);
}

/**
 * Creates a handler of Express: `app.post('/hooks', expressWebhook(secret, onEvent))`. Mount it before `express.json()`,
 * or behind `express.raw()`: a parsed body cannot be verified.
 */
export function expressWebhook(secret: string, onEvent: OnEvent): ExpressHandler {
  return async (request, response, next) => {
    try {
      const rawBody = await readExpressBody(request);
      const status = rawBody === null ? 413 : await process(rawBody, request.headers, secret, onEvent);
      response.statusCode = status;
      response.end();
    } catch (error) {
      next(error);
    }
  };
}

export type HonoContext = { req: { raw: Request } };
type ExpressRequest = AsyncIterable<Uint8Array> & {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body?: unknown;
};
type ExpressResponse = { statusCode: number; end(): unknown };
export type ExpressHandler = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: (error: unknown) => void,
) => Promise<void>;

async function receive(request: Request, secret: string, onEvent: OnEvent): Promise<number> {
  const rawBody = request.body === null ? new Uint8Array() : await gather(request.body);
  return rawBody === null ? 413 : await process(rawBody, request.headers, secret, onEvent);
}

/** Returns the status of the answer. Throws what `onEvent` throws. */
async function process(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  onEvent: OnEvent,
): Promise<number> {
  try {
    const event = await verifyWebhook(rawBody, headers, secret);
    await onEvent(event);
    return 204;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 401;
    throw error;
  }
}

async function readExpressBody(request: ExpressRequest): Promise<string | Uint8Array | null> {
  const { body } = request;
  if (typeof body === 'string' || body instanceof Uint8Array) return body.length > maxBytes ? null : body;
  if (body !== undefined) throw new TypeError('The body is parsed already: mount the webhook before express.json().');
  return await gather(request);
}

/** Returns null when there are more bytes than any event has. */
async function gather(chunks: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): Promise<Uint8Array | null> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of chunks as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    parts.push(chunk);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

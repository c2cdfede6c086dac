import { z } from 'zod';
import type { Credential } from '#common/access/credential.ts';
import type { Scope } from '#common/access/scopes.ts';
import type { UploadedCells } from '#common/bulk/read/uploaded-cells.ts';
import type { EnvelopeWindow } from '#common/config/variables.ts';
import type { CursorCodec } from '#common/cursor.ts';
import type { Papers } from '#common/documents/papers/papers.ts';
import type { ErrorCode } from '#common/errors.ts';
import type { EventStreams } from '#common/events/event-stream.ts';
import type { MailCommitter } from '#common/mail-jobs/create/mail-committer.ts';
import type { Proofs } from '#common/mail-jobs/proof/proofs.ts';
import type { Mode } from '#common/modes.ts';
import type { KeyClaim } from '#common/platform/idempotency/claim-key.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { SandboxTimes } from '#common/sandbox/steps/sandbox-steps.ts';
import type { KeyRing, Signer } from '#common/secrets.ts';
import type { CutoffRules, PrintRule } from '#common/services.ts';
import type { TargetUrlCheck } from '#common/webhooks/registry/create-webhook.ts';
import { idempotencyKeyHeader } from './requests/idempotency-key-header.ts';

/** Services that handlers pass to `common`. */
export type ApiServices = {
  store: ObjectStore;
  hints: Hints;
  keyRing: KeyRing;
  cursors: CursorCodec;
  checkTargetUrl: TargetUrlCheck;
  maxActiveWebhooks: number;
  maxStoredBytes: Record<Mode, number>;
  sandbox: SandboxTimes;
  eventStreams: EventStreams;
  mailCommitter: MailCommitter;
  requestSigner: Signer;
  proofs: Proofs;
  /** The papers of batches. */
  papers: Papers;
  uploadedCells: UploadedCells;
  envelopeWindow: EnvelopeWindow;
  cutoffs: CutoffRules;
  log: Log;
  printRules: readonly PrintRule[];
};

type Schema = z.ZodType;
type Responses = Record<number, Schema>;

/** A declared status of a route with the body of that status. */
export type Reply<R extends Responses> = {
  [Status in keyof R & number]: { status: Status; body: z.input<R[Status]> };
}[keyof R & number];

/** A 200 response that is generated while it is sent. */
export type StreamedAnswer = {
  contentType: string;
  /** Suggested file name for downloads. */
  filename: string | undefined;
  chunks: AsyncIterable<string>;
};

/** Example request and responses for the documentation. */
type RouteExample<P extends Schema, Q extends Schema, H extends Schema, B extends Schema, R extends Responses> = {
  params?: z.input<P>;
  query?: z.input<Q>;
  headers?: z.input<H>;
  body?: z.input<B>;
  responses?: { [Status in keyof R & number]?: z.input<R[Status]> };
};

type HandlerInput<P extends Schema, Q extends Schema, H extends Schema, B extends Schema> = {
  params: z.output<P>;
  query: z.output<Q>;
  headers: z.output<H>;
  body: z.output<B>;
  /** The media type that the client prefers: JSON or one of `otherFormats`. */
  accepted: string;
  credential: Credential;
  /** Identifies the request in the logs. */
  requestId: string;
  now: Date;
  /** Whether the credential is still valid. For streams. */
  isStillAuthenticated: () => Promise<boolean>;
  /** The claim of the request's Idempotency-Key. What creates something stores its id there. */
  claim?: KeyClaim;
};

/**
 * What a POST does with an Idempotency-Key:
 * - `harmless`: a second request costs nothing and leaves nothing that stays, so the key is accepted and has no effect.
 * - `own`: the route stores keys with what it creates.
 * - The others keep the key for 24 h, see `answerOnce`. A repeat runs the handler, which answers the same (`rerun`), gets
 *   the first answer, which has neither personal data nor secrets (`kept`), or what the function returns, given the id
 *   that the handler stored with its claim.
 */
type Repeat<Input, R extends Responses> =
  | 'harmless'
  | 'own'
  | 'rerun'
  | 'kept'
  | ((request: Input, services: ApiServices, id: string) => Promise<z.input<R[keyof R & number]>>);

/**
 * Declaration of a route. The router, the checks, the types of the handler and the documentation are derived from it.
 * A handler receives only validated input and can return only declared responses.
 */
export type Route<P extends Schema, Q extends Schema, H extends Schema, B extends Schema, R extends Responses> = {
  method: 'get' | 'post' | 'patch' | 'delete';
  path: `/v1/${string}`;
  /** `any`: every valid credential. */
  scope: Scope | 'any';
  /** Credentials of the other mode get FORBIDDEN. */
  mode?: Mode;
  /** Generated clients name their functions after it, so it must never change. */
  operationId: string;
  summary: string;
  /** Markdown: what clients need to know beyond the summary and the fields. */
  description?: string;
  /** For the documentation. A test checks each part against its schema. */
  example?: RouteExample<P, Q, H, B, R>;
  /** Invalid path parameters are NOT_FOUND, like unknown IDs. */
  params?: P;
  query?: Q;
  headers?: H;
  body?: B;
  responses: R;
  /** Other media types of the 200 response, each with an example. The client chooses with Accept. */
  otherFormats?: Record<string, string>;
  /** Descriptions of statuses whose standard phrase is not enough. */
  meanings?: { [Status in keyof R & number]?: string };
  /** In addition to the errors of every route. */
  errors: readonly ErrorCode[];
  /** Required of a POST. */
  repeat?: Repeat<HandlerInput<P, Q, H, B>, R>;
  handle(request: HandlerInput<P, Q, H, B>, services: ApiServices): Promise<Reply<R> | StreamedAnswer>;
};

/** A route with its types erased, for the router and for tests that walk all routes. */
export type AnyRoute = Omit<Route<Schema, Schema, Schema, Schema, Responses>, 'handle' | 'repeat'> & {
  repeat?: Repeat<never, Responses>;
  handle(request: never, services: ApiServices): Promise<{ status: number; body: unknown } | StreamedAnswer>;
};

/** Declares a route. The compiler checks the handler against the schemas. */
export function defineRoute<
  R extends Responses,
  P extends Schema = z.ZodUndefined,
  Q extends Schema = z.ZodUndefined,
  H extends Schema = z.ZodUndefined,
  B extends Schema = z.ZodUndefined,
>(route: Route<P, Q, H, B, R>): AnyRoute {
  return keepsKeys(route) ? withIdempotencyKey(route) : route;
}

/** Returns whether a route keeps the Idempotency-Keys of its requests for 24 hours. */
export function keepsKeys({ repeat }: Pick<AnyRoute, 'repeat'>): boolean {
  return repeat !== undefined && repeat !== 'harmless' && repeat !== 'own';
}

/** Adds the header, and the answers and errors of repeats. A repeat is answered with 200. */
function withIdempotencyKey(route: AnyRoute): AnyRoute {
  const { responses, example, meanings, errors } = route;
  const created = responses[201] ? 201 : 202;
  const isDeclared = responses[200] !== undefined;
  const meaning = 'A repeat with the same `Idempotency-Key`: what the first request created, as it is now.';
  return {
    ...route,
    headers: idempotencyKeyHeader('A repeat with the same key does nothing again. Kept for 24 hours.'),
    responses: { ...responses, 200: responses[200] ?? responses[created] ?? z.never() },
    meanings: { ...(responses[created] && { 200: meaning }), ...meanings },
    example: {
      ...example,
      responses: { ...(!isDeclared && { 200: example?.responses?.[created] }), ...example?.responses },
    },
    errors: [...new Set<ErrorCode>([...errors, 'NOT_FOUND', 'LIMIT_REACHED', 'IDEMPOTENCY_MISMATCH'])],
  };
}

export function reply<Status extends number, const Body>(status: Status, body: Body): { status: Status; body: Body } {
  return { status, body };
}

/** Returns the schema of a streamed 200 response. Used only for the documentation. */
export function textOf(contentType: string) {
  return z.string().meta({ contentType, documentedAs: { type: 'string' } });
}

/** Returns a streamed 200 response. Its content must match the declared schema or one of `otherFormats`. */
export function stream(contentType: string, chunks: AsyncIterable<string>, filename?: string): StreamedAnswer {
  return { contentType, filename, chunks };
}

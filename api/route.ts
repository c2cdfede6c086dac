import { z } from 'zod';
import type { Credential } from '../common/access/credential.ts';
import type { Scope } from '../common/access/scopes.ts';
import type { EnvelopeWindow } from '../common/config/variables.ts';
import type { CursorCodec } from '../common/cursor.ts';
import type { ErrorCode } from '../common/errors.ts';
import type { EventStreams } from '../common/events/event-stream.ts';
import type { MailCommitter } from '../common/mail-jobs/create/mail-committer.ts';
import type { SandboxTimes } from '../common/mail-jobs/items/sandbox-steps.ts';
import type { Proofs } from '../common/mail-jobs/proof/proofs.ts';
import type { Mode } from '../common/modes.ts';
import type { Log } from '../common/platform/process/log.ts';
import type { Hints } from '../common/platform/redis/queues.ts';
import type { ObjectStore } from '../common/platform/s3/s3.ts';
import type { KeyRing, Signer } from '../common/secrets.ts';
import type { CutoffRules, PrintRule } from '../common/services.ts';
import type { TargetUrlCheck } from '../common/webhooks/registry/create-webhook.ts';
import type { Deprecation } from './middleware/announce-deprecation.ts';

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
  /**
   * The route ends: every answer says when, and so do the documentation, the changelog and the types of the SDKs. A field
   * is deprecated by `.meta({ deprecated: true })` of its schema.
   */
  deprecated?: Deprecation;
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
  handle(
    request: {
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
    },
    services: ApiServices,
  ): Promise<Reply<R> | StreamedAnswer>;
};

/** A route with its types erased, for the router and for tests that walk all routes. */
export type AnyRoute = Omit<Route<Schema, Schema, Schema, Schema, Responses>, 'handle'> & {
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
  return route;
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

import { z } from 'zod';
import type { Credential } from '../common/access/credential.ts';
import type { Scope } from '../common/access/scopes.ts';
import type { CursorCodec } from '../common/cursor.ts';
import type { ErrorCode } from '../common/errors.ts';
import type { SandboxTimes } from '../common/mail-jobs/sandbox-steps.ts';
import type { Hints } from '../common/platform/queues.ts';
import type { ObjectStore } from '../common/platform/s3.ts';
import type { KeyRing } from '../common/secrets.ts';
import type { TargetUrlCheck } from '../common/webhooks/create-webhook.ts';
import type { EventStreams } from '../common/webhooks/event-stream.ts';

/** What handlers hand down to the domain. */
export type ApiServices = {
  store: ObjectStore;
  hints: Hints;
  keyRing: KeyRing;
  cursors: CursorCodec;
  checkTargetUrl: TargetUrlCheck;
  maxActiveWebhooks: number;
  sandbox: SandboxTimes;
  eventStreams: EventStreams;
};

type Schema = z.ZodType;
type Responses = Record<number, Schema>;

/** Every status that a route declares, with the body that goes with it. */
export type Reply<R extends Responses> = {
  [Status in keyof R & number]: { status: Status; body: z.input<R[Status]> };
}[keyof R & number];

/** A 200 that is sent while it is made: in pieces, for as long as there are any and somebody reads. */
export type StreamedAnswer = {
  contentType: string;
  /** Suggested to whoever saves it. */
  filename: string | undefined;
  chunks: AsyncIterable<string>;
};

/** A request that could come, and what would be answered. */
type RouteExample<P extends Schema, Q extends Schema, H extends Schema, B extends Schema, R extends Responses> = {
  params?: z.input<P>;
  query?: z.input<Q>;
  headers?: z.input<H>;
  body?: z.input<B>;
  responses?: { [Status in keyof R & number]?: z.input<R[Status]> };
};

/**
 * One declaration a route: the router, the checks, the types of the handler and the documentation come from it.
 * A handler sees only what its schemas let through, and can only answer what it has declared.
 */
export type Route<P extends Schema, Q extends Schema, H extends Schema, B extends Schema, R extends Responses> = {
  method: 'get' | 'post' | 'patch' | 'delete';
  path: `/v1/${string}`;
  scope: Scope;
  /** `test`: live credentials get FORBIDDEN. */
  mode?: 'test';
  /** The name in the documentation, from which generated clients name their functions: it never changes. */
  operationId: string;
  summary: string;
  /** Markdown: what a caller must know beyond the summary and the fields. */
  description?: string;
  /** For the documentation; each part fits its schema. */
  example?: RouteExample<P, Q, H, B, R>;
  /** A path parameter that does not fit is NOT_FOUND, like an id that nobody has. */
  params?: P;
  query?: Q;
  headers?: H;
  body?: B;
  responses: R;
  /** What else a 200 may come as, by media type, each with an example; the caller chooses by Accept. */
  otherFormats?: Record<string, string>;
  /** What a status says, where its own name is not enough. */
  meanings?: { [Status in keyof R & number]?: string };
  /** Beyond those that any route may answer. */
  errors: readonly ErrorCode[];
  handle(
    request: {
      params: z.output<P>;
      query: z.output<Q>;
      headers: z.output<H>;
      body: z.output<B>;
      /** The media type that the caller would like best: JSON, or one of `otherFormats`. */
      accepted: string;
      credential: Credential;
      /** What this request is called in the logs. */
      requestId: string;
      now: Date;
      /** For an answer that goes on: whether the caller would be let in at that moment too. */
      isStillAllowed: () => Promise<boolean>;
    },
    services: ApiServices,
  ): Promise<Reply<R> | StreamedAnswer>;
};

/** A route whose types no longer matter: what the router and the tests that walk all routes see. */
export type AnyRoute = Omit<Route<Schema, Schema, Schema, Schema, Responses>, 'handle'> & {
  handle(request: never, services: ApiServices): Promise<{ status: number; body: unknown } | StreamedAnswer>;
};

/** Declares a route, checking that its handler fits its schemas. */
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

/** The schema of a 200 that is streamed as text of this type: for the documentation alone. */
export function textOf(contentType: string) {
  return z.string().meta({ contentType, documentedAs: { type: 'string' } });
}

/** Answers 200 with text that is still to be made. It fits the declared schema, or is one of the other formats. */
export function stream(contentType: string, chunks: AsyncIterable<string>, filename?: string): StreamedAnswer {
  return { contentType, filename, chunks };
}

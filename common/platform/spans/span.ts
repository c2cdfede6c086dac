/**
 * Attributes of spans. A closed list: no name or address of a person, path, query string, header, body or secret has a
 * place in it.
 */
export type SpanAttributes = {
  'http.request.method'?: string;
  'http.route'?: string;
  'http.response.status_code'?: number;
  'http.request.resend_count'?: number;
  'url.scheme'?: string;
  'server.address'?: string;
  'server.port'?: number;
  'error.type'?: string;
  'messaging.destination.name'?: string;
  'bluejay.request_id'?: string;
  'bluejay.mail_job_id'?: string;
  'bluejay.event_id'?: string;
  'bluejay.delivery_id'?: string;
  'bluejay.row_id'?: string;
  'bluejay.status'?: string;
  /** Milliseconds from when the work was due to when it was claimed. */
  'bluejay.waited_ms'?: number;
  'bluejay.failures'?: number;
};

export type SpanOptions = {
  kind: 'server' | 'client' | 'consumer' | 'internal';
  /**
   * The stored `traceparent` that the span continues; the active span then becomes a link. `none` starts a trace, with a
   * link to the active span. Default: the active span.
   */
  parent?: string | undefined;
  /** Contexts that are not parents, such as that of a caller who is not trusted. Invalid ones are ignored. */
  links?: readonly (string | undefined)[];
  attributes?: SpanAttributes;
  startedAt?: Date;
};

export type SpanEnd = {
  name?: string;
  attributes?: SpanAttributes;
  /** A class of errors; never a message, which may quote what a customer sent. */
  error?: string | undefined;
};

/** A span in progress. Without tracing it has no `traceparent`, and does nothing. */
export type Span = {
  /** The context to store on rows that continue the trace (W3C Trace Context). */
  readonly traceparent: string | undefined;
  end(result?: SpanEnd): void;
};

/** Creates the spans of a process. */
export type Tracer = {
  start(name: string, options: SpanOptions): Span;
  runIn<T>(span: Span, work: () => T): T;
  runOutside<T>(work: () => T): T;
  activeIds(): { trace_id?: string; span_id?: string };
  activeTraceparent(): string | undefined;
  /** Sends what is left, for 2 s at most. */
  close(): Promise<void>;
};

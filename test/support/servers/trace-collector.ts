import { createServer } from 'node:http';
import { closeServer, listen } from '#common/platform/process/metrics.ts';

type AnyValue = { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number };
type KeyValue = { key: string; value: AnyValue };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number };
};
type ExportRequest = {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
};

export type CollectedSpan = Omit<OtlpSpan, 'attributes'> & {
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
};

/** Starts a collector of traces: an HTTP server on loopback that keeps the spans that it gets as OTLP/JSON. */
export async function openTraceCollector() {
  const spans: CollectedSpan[] = [];
  const requests: { path: string | undefined; authorization: string | undefined; body: string }[] = [];
  let isAnswering = true;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    requests.push({ path: request.url, authorization: request.headers.authorization, body });
    if (!isAnswering) return;
    spans.push(...readSpans(JSON.parse(body)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    /** From now on takes requests and never answers them. */
    hang() {
      isAnswering = false;
    },
    async close() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}

function readSpans({ resourceSpans }: ExportRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: toRecord(span.attributes),
        resource: toRecord(resource.attributes),
      })),
    ),
  );
}

function toRecord(pairs: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}

// Level: ci
import service from '#package.json' with { type: 'json' };
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { afterAll, beforeAll, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { killStartedPrograms, type Program, startProductProcess } from '#test/support/processes/process-control.ts';
import { aLetter, aPostalAddress, aRequestAddress, createClient } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { type CollectedSpan, openTraceCollector } from '#test/support/servers/trace-collector.ts';
import { addWebhook, startReceiver } from '#test/support/webhooks/receiver.ts';

const person = aRequestAddress({ name: 'Xantippe Qvortrup', line1: 'Zwanenhof 77' });
const requestId = 'order-4711';
const callersTrace = 'a'.repeat(32);

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '1' } });
  const collector = openOnce(openTraceCollector);
  const receiver = startReceiver();
  let programs: Program[] = [];
  let mailJobId = '';
  let spans: CollectedSpan[] = [];

  const named = (name: string) => spans.filter((span) => span.name === name);

  beforeAll(async () => {
    const port = await findFreePort();
    const environment = {
      ...world.environment,
      PORT: String(port),
      WEB_PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    };
    programs = await Promise.all([
      startProductProcess('api/server.ts', environment),
      startProductProcess('workers/main.ts', environment),
    ]);
    const { key, http, ...customer } = await world.customer();
    await addWebhook({ http }, { url: `${receiver.url}/path-secret?token=query-secret`, events: ['MAIL_PRINTED'] });
    const traced = { ...customer, http: createClient(`http://127.0.0.1:${port}`, key) };
    const letter = await aLetter(traced, { recipients: [person], sender: aPostalAddress() });
    const sent = await traced.http.post('/v1/mails', letter, {
      'x-request-id': requestId,
      traceparent: `00-${callersTrace}-${'b'.repeat(16)}-01`,
    });
    expect(sent.status).toBe(201);
    mailJobId = sent.body.mailJobId;
    await eventually(() => expect(receiver.received).toHaveLength(1));
    // The processes send what is left before they exit.
    for (const program of programs) program.kill('SIGTERM');
    expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0]);
    const { traceId } = collector.spans.find(({ name }) => name === 'POST /v1/mails') ?? {};
    spans = collector.spans.filter((span) => span.traceId === traceId);
  });
  afterAll(killStartedPrograms);

  test('one letter is one connected trace, from its request to its print file and its webhook', () => {
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const roots = spans.filter(({ parentSpanId }) => !parentSpanId);
    expect(roots.map(({ name }) => name)).toEqual(['POST /v1/mails']);
    expect(spans.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([]);
    const found = new Set(spans.map(({ name, resource }) => `${resource['service.name']}: ${name}`));
    expect([...found]).toEqual(
      expect.arrayContaining([
        'bluejay-api: POST /v1/mails',
        'bluejay-api: create letter',
        'bluejay-workers: process render',
        'bluejay-workers: process lifecycle',
        'bluejay-workers: letter printed',
        'bluejay-workers: process fan-out',
        'bluejay-workers: POST',
      ]),
    );
  });

  test('the post of a webhook follows the fan-out of its event, and its span has the origin alone', () => {
    const [post] = named('POST');
    const fanOut = spans.find(({ spanId }) => spanId === post?.parentSpanId);
    expect(fanOut?.name).toBe('process fan-out');
    const { port } = new URL(receiver.url);
    expect(post).toMatchObject({
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'url.scheme': 'http',
        'server.address': '127.0.0.1',
        'server.port': Number(port),
      },
    });
    expect(post?.links).toHaveLength(1);
  });

  test('the request has its route and status, and the trace of its caller as a link only', () => {
    const [request] = named('POST /v1/mails');
    expect(request).toMatchObject({
      attributes: {
        'http.route': '/v1/mails',
        'http.response.status_code': 201,
        'bluejay.request_id': requestId,
        'bluejay.mail_job_id': mailJobId,
      },
      resource: {
        'service.name': 'bluejay-api',
        'service.version': service.version,
        'deployment.environment.name': 'test',
      },
    });
    expect(request?.links).toEqual([expect.objectContaining({ traceId: callersTrace })]);
    expect(request?.traceId).not.toBe(callersTrace);
  });

  test('nothing that is sent names a person, a path, a query, a key or a header', () => {
    const all = collector.requests.map(({ body }) => body).join('\n');
    for (const secret of [person.name, person.line1, 'path-secret', 'query-secret', 'Bearer', 'Ada Peeters']) {
      expect(all).not.toContain(secret);
    }
    const expected = { path: '/v1/traces', authorization: 'Bearer collector-token' };
    for (const request of collector.requests) expect(request).toMatchObject(expected);
  });

  test('the receiver of a webhook gets no trace context', () => {
    expect(Object.keys(receiver.received[0]?.headers ?? {}).filter((name) => name.startsWith('trace'))).toEqual([]);
  });

  test('lines about the letter have its request id and trace id, in the API and the workers', () => {
    const [traceId] = spans.map((span) => span.traceId);
    for (const program of programs) {
      const lines = program
        .output()
        .split('\n')
        .flatMap((line) => (line.includes(mailJobId) ? [JSON.parse(line)] : []));
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toMatchObject({ requestId, trace_id: traceId, mailJobId });
    }
  });
});

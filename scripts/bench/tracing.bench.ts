import { createServer } from 'node:http';
import { readCpuMs } from '#common/documents/isolation/process-usage.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { describeGoals } from './goal-table.ts';
import { print, putUnderLoad, type Rounds, readMemoryMb } from './measure.ts';
import { createPoster } from './wallet/load.ts';
import { letterBody, openWalletBench } from './wallet/open-wallet-bench.ts';

const rounds = 7;
const lettersPerRound = 400;
const inFlight = 8;

/**
 * Prints what tracing costs an API process that accepts letters: its CPU time per letter and its memory, with all traces
 * and with 1 % of them, beside a process without tracing.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const collector = await openSink();
  held.defer(collector.close);
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const few = { ...on, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' };
  const apiVariables = [{}, on, few];
  const bench = held.use(await openWalletBench({ customerCount: 1, apiCount: apiVariables.length, apiVariables }));
  const [customer] = bench.customers;
  if (!customer) throw new Error('There is no customer.');
  const body = letterBody(customer.s3Key);
  const processes = bench.apis.map(({ pid }, index) => {
    const poster = createPoster([bench.urls[index] ?? ''], { connections: inFlight, wallets: 1 });
    held.defer(poster.close);
    return { pid, poster };
  });

  /** Returns the CPU time of a process per letter, in milliseconds. */
  async function measure({ pid, poster }: (typeof processes)[number]): Promise<number> {
    const before = readCpuMs(pid) ?? 0;
    const send = async (n: number) => {
      const status = await poster.post(n, customer?.key ?? '', body);
      if (status !== 201) throw new Error(`A send was answered with ${status}.`);
    };
    await putUnderLoad(send, { inFlight, forMs: Number.POSITIVE_INFINITY, maxCalls: lettersPerRound });
    return ((readCpuMs(pid) ?? 0) - before) / lettersPerRound;
  }

  const figures = processes.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, process] of processes.entries()) {
      const figure = await measure(process);
      if (round >= 0) figures[index]?.push(figure);
    }
  }
  const [off = [], all = [], sampled = []] = figures;
  const row = (name: string, ours: number[], atMost: number) => {
    const measured: Rounds = { ours, floor: off };
    return { name, unit: 'ms' as const, goal: { atMost }, measured };
  };
  print(`CPU time of an API process per POST /v1/mails, ${inFlight} in flight, against one without tracing.\n`);
  print(describeGoals([row('all traces', all, 1.5), row('1 % of the traces', sampled, 1.35)]));
  const memory = processes.map(({ pid }) => `${readMemoryMb(pid)} MiB`);
  print(
    `\nMemory without tracing, with all traces, with 1 %: ${memory.join(', ')}. Traces sent: ${collector.count()}.`,
  );
}

/** Starts a collector in this process that reads and drops what it gets. */
async function openSink() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().once('end', () => response.end('{}'));
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => requests,
    close: async () => {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}

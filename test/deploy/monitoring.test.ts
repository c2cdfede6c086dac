import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { addTrackingRange } from '#common/production/tracking/manage-ranges.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import {
  afterAll,
  beforeAll,
  describe,
  eventually,
  expect,
  test,
  testWithPrograms,
  useTempFolders,
} from '../support/jest.ts';
import {
  killStartedPrograms,
  type Program,
  startProductProcess,
  startProgram,
} from '../support/processes/process-control.ts';
import { startWorld } from '../support/product/world.ts';
import { rules } from '../support/project/alert-rules.ts';
import { readText, root, shellLinesOf } from '../support/project/markdown.ts';

const monitoring = 'scripts/deploy/monitoring';
const runbooks = 'scripts/deploy/runbooks';
const runbookFiles = readdirSync(join(root, runbooks));

/** Returns the selectors of series in an expression: the words with an underscore, `up`, and what rules record. */
function selectorsIn(expr: string): string[] {
  return [...expr.matchAll(/\b(?:[a-z]+(?:_[a-z]+)+|up)\b(?:\{[^}]*\})?/g)].map(([selector]) => selector);
}

async function metricsUrlOf(program: Program): Promise<string> {
  const line = await program.waitForLine(/"metricsPort"/, { withinMs: 10_000 });
  return `http://127.0.0.1:${JSON.parse(line).metricsPort}`;
}

describe('an installation that is watched', () => {
  const world = startWorld();
  const newFolder = useTempFolders();
  let apiUrl = '';
  let workersUrl = '';

  beforeAll(async () => {
    const range = { indicator: 'RR', country: 'BE', firstSerial: 1, lastSerial: 9, automaticZones: [], note: null };
    await addTrackingRange(range, undefined, new Date());
    const port = String(await findFreePort());
    const environment = { ...world.environment, PORT: port, WEB_PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'info' };
    const [api, workers] = await Promise.all([
      startProductProcess('api/server.ts', environment),
      startProductProcess('workers/main.ts', environment),
    ]);
    apiUrl = await metricsUrlOf(api);
    workersUrl = await metricsUrlOf(workers);
    const { key } = await world.customer();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const refused = await fetch(`http://127.0.0.1:${port}/v1/mails`, { method: 'POST', headers, body: '{}' });
    expect(refused.status).toBe(400);
  }, 120_000);
  afterAll(killStartedPrograms);

  /** Starts a Prometheus with the configuration of the operators, and returns its URL. */
  async function startPrometheus(): Promise<string> {
    const folder = await newFolder();
    const config = parse(readText(`${monitoring}/prometheus.yml`));
    config.global.scrape_interval = config.global.evaluation_interval = '1s';
    config.rule_files = [join(root, monitoring, 'alerts.yml')];
    config.scrape_configs[0].static_configs[0].targets = [apiUrl, workersUrl].map((url) => new URL(url).host);
    await writeFile(join(folder, 'prometheus.yml'), stringify(config));
    const port = await findFreePort();
    const flags = [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const prometheus = startProgram('prometheus', flags);
    await prometheus.waitForLine(/ready to receive web requests/, { withinMs: 30_000 });
    return `http://127.0.0.1:${port}`;
  }

  testWithPrograms('prometheus')(
    'every expression of the alerts finds its series in a real scrape',
    async () => {
      const url = await startPrometheus();
      async function query(expr: string): Promise<unknown[]> {
        const body = new URLSearchParams({ query: expr });
        const response = await fetch(`${url}/api/v1/query`, { method: 'POST', body });
        const { status, data } = (await response.json()) as { status: string; data: { result: unknown[] } };
        expect([expr, status]).toEqual([expr, 'success']);
        return data.result;
      }
      const recorded = rules.flatMap(({ record }) => (record === undefined ? [] : [record]));
      const selectors = [...new Set(rules.flatMap(({ expr }) => selectorsIn(expr)))];
      const wanted = selectors.filter((selector) => !recorded.some((record) => record.includes(selector)));
      expect(wanted.length).toBeGreaterThan(15);
      async function findAbsent(): Promise<string[]> {
        const results = await Promise.all(wanted.map(async (expr) => ({ expr, found: await query(expr) })));
        return results.filter(({ found }) => found.length === 0).map(({ expr }) => expr);
      }
      for (const { expr } of rules) await query(expr);
      await eventually(async () => expect(await findAbsent()).toEqual([]), { withinMs: 60_000 });
    },
    120_000,
  );

  test.each(runbookFiles)(
    'the commands of %s run as they stand',
    async (file) => {
      const script = shellLinesOf(readText(join(runbooks, file))).join('\n');
      const environment = {
        ...world.environment,
        BLUEJAY_METRICS_URL: apiUrl,
        BLUEJAY_WORKERS_METRICS_URL: workersUrl,
      };
      const shell = startProgram('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, environment });
      expect([await shell.ended, shell.output()]).toEqual([0, expect.not.stringContaining('not found')]);
      if (file !== 'README.md') expect(shell.standardOutput()).not.toBe('');
    },
    60_000,
  );
});

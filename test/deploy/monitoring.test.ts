// Level: ci
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { recordBackup } from '#common/operations/backup-age.ts';
import { addTrackingRange } from '#common/production/tracking/manage-ranges.ts';
import { dashboardPlans } from '#scripts/deploy/monitoring/dashboards/write-dashboards.ts';
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
import { aLetter, createClient } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { rules, rulesFile, runbookFiles, runbooks } from '../support/project/alert-rules.ts';
import { scalingQueries } from '../support/project/helm-chart.ts';
import { blocksOf, readText, root, shellLinesOf } from '../support/project/markdown.ts';
import { addWebhook, startReceiver } from '../support/webhooks/receiver.ts';

const monitoring = 'scripts/deploy/monitoring';

/** Returns the expressions of dashboards and objectives, over a window in which two scrapes of the test fit. */
function shownExpressions(): string[] {
  const diagrams = Object.values(dashboardPlans).flatMap(({ sections }) => sections.flatMap((each) => each.diagrams));
  const queries = diagrams.flatMap((diagram) => diagram.queries.map(([expr]) => expr));
  const objectives = blocksOf(readText(`${monitoring}/slo.md`)).filter(({ language }) => language === 'promql');
  const all = [...queries, ...objectives.map(({ text }) => text)];
  return all.map((expr) => expr.replaceAll(/\[(\$__rate_interval|30d)\]/g, '[30s]'));
}

/** Returns the selectors of series in an expression: words with an underscore or a colon that are no function, and `up`. */
function selectorsIn(expr: string): string[] {
  return [...expr.matchAll(/\b(?:[a-z]+(?:[_:][a-z0-9]+)+|up)\b(?!\()(?:\{[^}]*\})?/g)].map(([selector]) => selector);
}

async function metricsUrlOf(program: Program): Promise<string> {
  const line = await program.waitForLine(/"metricsPort"/);
  return `http://127.0.0.1:${JSON.parse(line).metricsPort}`;
}

describe('an installation that is watched', () => {
  const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '1' } });
  const receiver = startReceiver();
  const newFolder = useTempFolders();
  let apiUrl = '';
  let workersUrl = '';

  beforeAll(async () => {
    const range = { indicator: 'RR', country: 'BE', firstSerial: 1, lastSerial: 9, automaticZones: [], note: null };
    await addTrackingRange(range, undefined, new Date());
    await recordBackup(new Date());
    const port = String(await findFreePort());
    const environment = { ...world.environment, PORT: port, WEB_PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'info' };
    const [api, workers] = await Promise.all([
      startProductProcess('api/server.ts', environment),
      startProductProcess('workers/main.ts', environment),
    ]);
    apiUrl = await metricsUrlOf(api);
    workersUrl = await metricsUrlOf(workers);
    const { key, http } = await world.customer();
    await addWebhook({ http }, { url: receiver.url, events: ['MAIL_PRINTED'] });
    const customer = { http: createClient(`http://127.0.0.1:${port}`, key) };
    expect((await customer.http.post('/v1/mails', {})).status).toBe(400);
    expect((await customer.http.post('/v1/mails', await aLetter(customer))).status).toBe(201);
    await eventually(() => expect(receiver.received).toHaveLength(1));
  });
  afterAll(killStartedPrograms);

  /** Starts a Prometheus with the configuration of the operators, and returns its URL. */
  async function startPrometheus(): Promise<string> {
    const folder = await newFolder();
    const config = parse(readText(`${monitoring}/prometheus.yml`));
    config.global.scrape_interval = config.global.evaluation_interval = '1s';
    config.rule_files = [join(root, rulesFile)];
    config.scrape_configs[0].static_configs[0].targets = [apiUrl, workersUrl].map((url) => new URL(url).host);
    await writeFile(join(folder, 'prometheus.yml'), stringify(config));
    const port = await findFreePort();
    const flags = [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const prometheus = startProgram('prometheus', flags);
    await prometheus.waitForLine(/ready to receive web requests/);
    return `http://127.0.0.1:${port}`;
  }

  testWithPrograms('prometheus')(
    'each expression of alerts, scaling, objectives and dashboards finds its series',
    async () => {
      const url = await startPrometheus();
      async function query(expr: string): Promise<unknown[]> {
        const body = new URLSearchParams({ query: expr });
        const response = await fetch(`${url}/api/v1/query`, { method: 'POST', body });
        const { status, data } = (await response.json()) as { status: string; data: { result: unknown[] } };
        expect([expr, status]).toEqual([expr, 'success']);
        return data.result;
      }
      const expressions = [...rules.map(({ expr }) => expr), ...scalingQueries];
      // An alert that does not fire is empty: look for the series in it.
      for (const expr of expressions) await query(expr);
      const selectors = expressions.flatMap(selectorsIn);
      const wanted = [...new Set([...selectors, ...shownExpressions()])];
      expect(wanted.length).toBeGreaterThan(60);
      async function findAbsent(): Promise<string[]> {
        const results = await Promise.all(wanted.map(async (expr) => ({ expr, found: await query(expr) })));
        return results.filter(({ found }) => found.length === 0).map(({ expr }) => expr);
      }
      await eventually(async () => expect(await findAbsent()).toEqual([]));
    },
  );

  test.each(runbookFiles)('the commands of %s run as they stand', async (file) => {
    const script = shellLinesOf(readText(join(runbooks, file))).join('\n');
    const environment = {
      ...world.environment,
      BLUEJAY_METRICS_URL: apiUrl,
      BLUEJAY_WORKERS_METRICS_URL: workersUrl,
      BLUEJAY_BACKUPS: await newFolder(),
    };
    const shell = startProgram('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, environment });
    expect([await shell.ended, shell.output()]).toEqual([0, expect.not.stringContaining('not found')]);
    if (file !== 'README.md') expect(shell.standardOutput()).not.toBe('');
  });
});

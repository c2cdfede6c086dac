// Level: ci
import { cp, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dashboardPlans, writeDashboards } from '#scripts/deploy/monitoring/dashboards/write-dashboards.ts';
import { describe, expect, test, testWithPrograms, useTempFolders } from '../support/jest.ts';
import { chart, renderExample } from '../support/project/helm-chart.ts';
import { root } from '../support/project/markdown.ts';

type Panel = { type: string; title: string; targets?: { expr: string }[] };

describe('the dashboards of Grafana', () => {
  const newFolder = useTempFolders();

  /** A copy of the chart without dashboards, which this checkout may have. */
  async function copyChart(): Promise<string> {
    const folder = join(await newFolder(), 'bluejay');
    await cp(join(root, chart), folder, { recursive: true });
    await rm(join(folder, 'files/dashboards'), { recursive: true, force: true });
    return folder;
  }

  test('the files of the command show every section and query of their plans', async () => {
    const files = await writeDashboards(await newFolder());
    expect(files.map((file) => basename(file))).toEqual(Object.keys(dashboardPlans));
    for (const file of files) {
      const { uid, sections } = dashboardPlans[basename(file) as keyof typeof dashboardPlans];
      const written = JSON.parse(await readFile(file, 'utf8')) as { uid: string; panels: Panel[] };
      expect(written.uid).toBe(uid);
      expect(written.panels.map(({ title, targets = [] }) => [title, ...targets.map(({ expr }) => expr)])).toEqual(
        sections.flatMap(({ title, diagrams }) => [
          [title],
          ...diagrams.map((diagram) => [diagram.title, ...diagram.queries.map(([expr]) => expr)]),
        ]),
      );
    }
  });

  test.each(Object.entries(dashboardPlans))(
    'every diagram of %s has its own title, and says what to see',
    (_file, plan) => {
      const diagrams = plan.sections.flatMap((section) => section.diagrams);
      expect(new Set(diagrams.map(({ title }) => title)).size).toBe(diagrams.length);
      for (const { description, queries } of diagrams) {
        expect(description).toMatch(/^[A-Z0-9].{20,}\.$/);
        expect(queries.length).toBeGreaterThan(0);
      }
    },
  );

  testWithPrograms('helm')('the chart delivers the written files, and says how to write them', async () => {
    const folder = await copyChart();
    const asked = ['monitoring.dashboards=true'];
    expect((await renderExample('scaled', [], folder)).names('ConfigMap')).toEqual([]);
    await expect(renderExample('scaled', asked, folder)).rejects.toThrow(/npm run dashboards/);

    const files = await writeDashboards(join(folder, 'files/dashboards'));
    const [config] = (await renderExample('scaled', asked, folder)).ofKind('ConfigMap');
    const texts = files.map(async (file) => [basename(file), await readFile(file, 'utf8')]);
    expect(config?.data).toEqual(Object.fromEntries(await Promise.all(texts)));
    expect(config?.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
  });
});

import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildDashboard } from './dashboard.ts';
import { servicePlan } from './service-plan.ts';
import { workPlan } from './work-plan.ts';

/** The dashboards by the name of their file. */
export const dashboardPlans = { 'service.json': servicePlan, 'work.json': workPlan };

/** Where the Helm chart looks for them. */
const chartFolder = join(import.meta.dirname, '../../helm/bluejay/files/dashboards');

/** Writes the dashboards as JSON that Grafana imports. Returns the paths of the files. */
export async function writeDashboards(folder = chartFolder): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const written = Object.entries(dashboardPlans).map(async ([name, plan]) => {
    const file = join(folder, name);
    await writeFile(file, `${JSON.stringify(buildDashboard(plan), null, 2)}\n`);
    return file;
  });
  return await Promise.all(written);
}

if (import.meta.main) {
  for (const file of await writeDashboards()) process.stdout.write(`${relative(process.cwd(), file)}\n`);
}

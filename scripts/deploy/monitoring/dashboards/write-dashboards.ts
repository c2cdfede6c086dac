import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildDashboard } from './dashboard.ts';
import { servicePlan } from './service-plan.ts';
import { workPlan } from './work-plan.ts';

/** The dashboards by the name of their file. */
export const dashboardPlans = { 'service.json': servicePlan, 'work.json': workPlan };

/** Returns the text of a dashboard's file. */
export function dashboardText(plan: (typeof dashboardPlans)[keyof typeof dashboardPlans]): string {
  return `${JSON.stringify(buildDashboard(plan), null, 2)}\n`;
}

if (import.meta.main) {
  for (const [file, plan] of Object.entries(dashboardPlans)) {
    await writeFile(join(import.meta.dirname, file), dashboardText(plan));
  }
}

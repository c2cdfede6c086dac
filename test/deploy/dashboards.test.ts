// Level: ci
import { dashboardPlans, dashboardText } from '#scripts/deploy/monitoring/dashboards/write-dashboards.ts';
import { describe, expect, test } from '../support/jest.ts';
import { findStale } from '../support/project/generated.ts';

describe('the dashboards of Grafana', () => {
  test.each(Object.entries(dashboardPlans))('%s is what its source describes', (file, plan) => {
    expect(findStale(`scripts/deploy/monitoring/dashboards/${file}`, dashboardText(plan))).toBeNull();
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
});

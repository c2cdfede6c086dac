import { parse } from 'yaml';
import { readText } from './markdown.ts';

/** A rule of Prometheus: an alert, or a recorded expression. */
type Rule = { expr: string; alert?: string; record?: string; labels?: { severity: string } };
export type Alert = Rule & { alert: string; annotations: { summary: string; runbook: string } };

export const rulesFile = 'scripts/deploy/monitoring/alerts.yml';
export const ruleTestsFile = 'scripts/deploy/monitoring/alerts.test.yml';

export const rules: Rule[] = (parse(readText(rulesFile)) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
export const alerts = rules.filter((rule): rule is Alert => rule.alert !== undefined);

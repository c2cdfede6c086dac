import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readText, root } from './markdown.ts';

/** A rule of Prometheus: an alert, or a recorded expression. */
type Rule = { expr: string; alert?: string; record?: string; labels?: { severity: string } };
export type Alert = Rule & { alert: string; annotations: { summary: string; runbook: string } };

export const rulesFile = 'scripts/deploy/helm/bluejay/files/alerts.yml';
export const ruleTestsFiles = ['alerts', 'backup-alerts'].map((name) => `scripts/deploy/monitoring/${name}.test.yml`);

export const rules: Rule[] = (parse(readText(rulesFile)) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
export const alerts = rules.filter((rule): rule is Alert => rule.alert !== undefined);

export const runbooks = 'scripts/deploy/runbooks';
/** The paths of all runbooks below their folder. */
export const runbookFiles = readdirSync(join(root, runbooks), { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.md'),
);

// Level: ci
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test, testWithPrograms } from '../support/jest.ts';
import { alerts, rulesFile, ruleTestsFiles, runbookFiles, runbooks } from '../support/project/alert-rules.ts';
import { readText, root, rowsOf } from '../support/project/markdown.ts';

const promtool = (...words: string[]) =>
  execFileSync('promtool', words, { cwd: root, encoding: 'utf8', stdio: 'pipe' });

describe('the alerts of Prometheus', () => {
  testWithPrograms('promtool')('promtool accepts the rules and the configuration', () => {
    expect(promtool('check', 'rules', rulesFile)).toContain('SUCCESS');
    expect(promtool('check', 'config', 'scripts/deploy/monitoring/prometheus.yml')).toContain('SUCCESS');
  });

  testWithPrograms('promtool')('they fire as their unit tests say', () => {
    expect(promtool('test', 'rules', ...ruleTestsFiles)).toContain('SUCCESS');
  });

  type Expected = { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] };
  const tests = ruleTestsFiles.flatMap((file) => (parse(readText(file)) as { tests: Expected[] }).tests);
  test.each(alerts.map(({ alert }) => alert))(
    '%s has a test in which it fires and one in which it does not',
    (name) => {
      const cases = tests
        .flatMap(({ alert_rule_test }) => alert_rule_test)
        .filter(({ alertname }) => alertname === name);
      expect(new Set(cases.map(({ exp_alerts }) => exp_alerts.length))).toEqual(new Set([0, 1]));
    },
  );
});

describe('the runbooks', () => {
  test.each(alerts)('that of $alert has its name as heading', ({ alert, annotations: { runbook } }) => {
    const [heading = ''] = readText(runbook).split('\n');
    expect(heading.replace('# ', '').split(', ')).toContain(alert);
  });

  test('their list names each alert with its severity and runbook, and there is no other file', () => {
    const [, , ...rows] = rowsOf(readText(join(runbooks, 'README.md')));
    const fileOf = ({ annotations }: (typeof alerts)[number]) => annotations.runbook.replace(`${runbooks}/`, '');
    const expected = alerts.map((each) => [
      `\`${each.alert}\``,
      each.labels?.severity,
      `[${fileOf(each)}](${fileOf(each)})`,
    ]);
    expect(rows).toEqual(expected);
    expect([...runbookFiles].sort()).toEqual([...new Set(['README.md', ...alerts.map(fileOf)])].sort());
  });
});

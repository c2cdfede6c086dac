// Level: unit

import { existsSync, globSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addressKinds } from '#common/addresses/address.model.ts';
import { pauseCodes } from '#common/bulk/model/bulk.model.ts';
import { environmentNames } from '#common/config/config.ts';
import { errorTable } from '#common/errors.ts';
import { eventKinds } from '#common/events/event.model.ts';
import { failureCodes } from '#common/mail-jobs/model/failure.ts';
import { warningCodes } from '#common/mail-jobs/model/mail-job.model.ts';
import { zones } from '#common/services.ts';
import { loadCommands } from '#scripts/admin/commands.ts';
import { parseCommandLine } from '#scripts/admin/parse-command-line.ts';
import { describe, expect, test } from '../support/jest.ts';
import {
  anchorsOf,
  inlineCodeOf,
  linksOf,
  proseOf,
  readText,
  root,
  rowsOf,
  sectionOf,
  shellLinesOf,
} from '../support/project/markdown.ts';

const commands = await loadCommands();
const manual = 'scripts/deploy/README.md';
const guides = globSync('api/docs/guides/*.md', { cwd: root }).sort();
const folderGuides = globSync('{api,common,scripts,test,workers}/**/README.md', {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).sort();
const documents = [...new Set(['README.md', ...guides, ...folderGuides])];
/** Documents whose paths start at the root. */
const ofTheWhole = ['README.md', manual, ...guides];
/** Only the image has it. */
const builtFolder = 'api/docs/clients';
const pathStart = /^(api|common|scripts|test|workers|\.ci|\.env\.example|docker-compose\.yml)(\/|$)/;

test('there are fourteen guides, and every top folder has its README', () => {
  expect(guides).toHaveLength(14);
  const tops = ['api', 'common', 'scripts', 'test', 'workers'].map((folder) => `${folder}/README.md`);
  expect(folderGuides).toEqual(expect.arrayContaining([...tops, manual]));
});

describe.each(documents)('%s', (path) => {
  const text = readText(path);

  test('every line closes its backticks', () => {
    const lines = proseOf(text).split('\n');
    expect(lines.filter((line) => line.split('`').length % 2 === 0)).toEqual([]);
  });

  test('every link and anchor leads somewhere', () => {
    for (const link of linksOf(text).filter((each) => !/^https?:|^\{\{/.test(each))) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      expect([link, existsSync(join(root, target))]).toEqual([link, true]);
      if (anchor !== undefined) expect(anchorsOf(readText(target))).toContain(anchor);
    }
  });

  test('every file and folder that it names exists', () => {
    const words = [...inlineCodeOf(text), ...shellLinesOf(text)].flatMap((code) => code.split(/[\s"'`=()<>]+/));
    const named = words.filter((word) => pathStart.test(word) && word !== builtFolder);
    const missing = named.filter((word) => !['', dirname(path)].some((from) => existsSync(join(root, from, word))));
    expect(missing).toEqual([]);
  });
});

describe('the README', () => {
  const readme = readText('README.md');

  test('it and the guide say when, and at which commit, the Helm chart was last proved', () => {
    const result = readText('scripts/deploy/results/kubernetes.md');
    const [, date, commit] = /^- Date: (\S+)\n- Commit: (\S+)/m.exec(result) ?? [];
    for (const text of [readme, readText('scripts/deploy/kubernetes.md')])
      expect(text.replaceAll(/\s+/g, ' ')).toContain(`on ${date}, at commit ${commit}`);
  });

  test('it has at most 200 lines and one small picture', () => {
    expect(readme.split('\n').length - 1).toBeLessThanOrEqual(200);
    const [picture, ...others] = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(others).toEqual([]);
    expect(statSync(join(root, picture ?? '')).size).toBeLessThan(100_000);
  });

  test('it sends a letter with at most 15 lines of shell', () => {
    const lines = shellLinesOf(sectionOf(readme, 'Sending a letter with curl'));
    expect(lines.filter((line) => line !== '' && !line.startsWith('#')).length).toBeLessThanOrEqual(15);
  });

  test('every guarantee names a test', () => {
    const [, , ...rows] = rowsOf(sectionOf(readme, 'Guarantees'));
    expect(rows.length).toBeGreaterThan(10);
    for (const [, guarantee, ...cells] of rows) {
      expect(cells).toEqual([expect.stringMatching(/^`test\/\S+\.test\.ts`$/)]);
      expect(guarantee).toMatch(/^[A-Z].*\.$/);
    }
    expect(rows.flatMap(([group]) => group || [])).toHaveLength(9);
  });

  test('it links every guide', () => {
    expect(linksOf(readme)).toEqual(expect.arrayContaining(guides));
  });
});

test('every decision names its code and a test', () => {
  const rows = rowsOf(readText('api/docs/guides/decisions.md')).filter(
    ([first = '']) => !/^(Question|-+)$/.test(first),
  );
  expect(rows.length).toBeGreaterThan(60);
  for (const row of rows) {
    expect(row).toEqual([
      expect.stringMatching(/\?$/),
      expect.stringMatching(/./),
      expect.stringMatching(/^(`(api|common|scripts|workers)\/\S+\.ts`(, )?)+$/),
      expect.stringMatching(/^(`test\/\S+\.test\.ts`(, )?)+$/),
    ]);
  }
});

describe('names in the documents', () => {
  const shellLines = documents.flatMap((path) => shellLinesOf(readText(path)));
  const inlineCode = ofTheWhole.flatMap((path) => inlineCodeOf(readText(path)));

  test('they name exactly the npm scripts of package.json', () => {
    const lines = [...shellLines, ...documents.flatMap((path) => inlineCodeOf(readText(path)))].join('\n');
    const named = [...lines.matchAll(/\bnpm (?:(start|test)\b|run (?:--silent )?([a-z:]+))/g)];
    const scripts = new Set(named.map(([, short, long]) => short ?? long));
    expect([...scripts].sort()).toEqual(Object.keys(JSON.parse(readText('package.json')).scripts).sort());
  });

  test('every word in capitals is a variable or code of the product', () => {
    const ofOtherFiles = [
      'docker-compose.yml',
      'scripts/demo/demo-environment.ts',
      'scripts/examples/receivers/receiver.mjs',
      'scripts/examples/php/client.php',
      'scripts/mcp.ts',
    ].flatMap((path) => [...readText(path).matchAll(/\b[A-Z][A-Z0-9_]{3,}\b/g)].map(([word]) => word));
    const known = new Set<string>([
      ...[
        environmentNames,
        Object.keys(errorTable),
        failureCodes,
        pauseCodes,
        warningCodes,
        eventKinds,
        zones,
        addressKinds,
      ].flat(),
      ...ofOtherFiles,
    ]);
    const ofShell = shellLines.flatMap((line) =>
      [...line.matchAll(/\$\{?([A-Z][A-Z_]+)|\b([A-Z][A-Z_]{3,})=/g)].map(([, used, set]) => used ?? set ?? ''),
    );
    const ofProse = inlineCode.flatMap((code) =>
      [...code.matchAll(/(?<![\w.-])[A-Z][A-Z0-9_]{3,}(?![\w.])/g)].map(([word]) => word),
    );
    const verbs = ['POST', 'PATCH', 'DELETE', 'SIGTERM'];
    const words = [...ofProse, ...ofShell].filter((word) => !verbs.includes(word));
    expect(words.length).toBeGreaterThan(50);
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  });
});

describe('the manual for operators', () => {
  const text = readText(manual);

  test('it shows every admin command once, with valid options', () => {
    const lines = shellLinesOf(text).filter((line) => line.startsWith('npm run admin -- '));
    const output = { write: () => undefined, writeError: () => undefined };
    const names = lines.map((line) => {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(4);
      return parseCommandLine(words, commands, output).command.name;
    });
    expect(names).toEqual(commands.map(({ name }) => name));
  });

  test('the table of variables lists exactly those without a default', () => {
    const rows = rowsOf(sectionOf(text, 'Settings'));
    const named = rows.flatMap(([names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const set = [...readText('.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(set.sort());
  });

  test('it names the variables that .env.example lists for production', () => {
    const [, section = ''] = /^# --- In production -+\n(.*?)^# ---/ms.exec(readText('.env.example')) ?? [];
    const [, usual = ''] = /You will usually also set (.*?)\n\n/s.exec(text) ?? [];
    const listed = [...section.matchAll(/^#(\w+)=/gm)].map(([, name]) => name);
    expect([...usual.matchAll(/`(\w+)\b/g)].map(([, name]) => name).sort()).toEqual(listed.sort());
  });
});

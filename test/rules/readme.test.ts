import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { routes } from '../../api/routes/index.ts';
import { addressKinds } from '../../common/addresses/address.model.ts';
import { environmentNames } from '../../common/config.ts';
import { type ErrorCode, errorTable } from '../../common/errors.ts';
import { failureCodes } from '../../common/mail-jobs/failure.ts';
import { zones } from '../../common/pricing/tariff.schema.ts';
import { eventKinds } from '../../common/webhooks/event.model.ts';
import { commands } from '../../scripts/admin/commands.ts';
import { parseCommandLine } from '../../scripts/admin/parse-command-line.ts';
import { blocksOf, inlineCode, prose, readme, root, rowsOf, sectionOf } from '../support/readme.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const blocks = blocksOf(readme);
const shellLines = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []));
const integratorRows = rowsOf(sectionOf('For integrators'));

describe('what the README names', () => {
  test('given its npm scripts, when they are looked up, then package.json has each', () => {
    const lines = [...shellLines, ...inlineCode].join('\n');
    const named = [...lines.matchAll(/\bnpm (?:(start|test)\b|run (?:--silent )?([a-z:]+))/g)];
    const scripts = new Set(named.map(([, short, long]) => short ?? long));
    expect([...scripts].sort()).toEqual(Object.keys(JSON.parse(read('package.json')).scripts).sort());
  });

  test('given its inline code, when its backticks are counted, then each line closes what it opens', () => {
    const odd = prose.split('\n').filter((line) => line.split('`').length % 2 === 0);
    expect(odd).toEqual([]);
  });

  test('given its files and folders, when they are looked up, then each is there', () => {
    const links = [...prose.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
    const words = [...inlineCode, ...shellLines].flatMap((code) => code.split(/[\s"'`=]+/));
    const paths = words.filter((word) => /^(api|common|scripts|test|workers|\.ci|\.env|docker-compose)[./]/.test(word));
    expect(paths.length).toBeGreaterThan(20);
    for (const path of [...links, ...paths, ...paths.filter((word) => word === '.env.example')]) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    }
    const anchors = [...readme.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);
    const headings = [...prose.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(headings).toEqual(expect.arrayContaining(anchors));
  });

  test('given its words in capitals, when they are looked up, then each is a variable or a code of ours', () => {
    const ofOtherFiles = [
      'docker-compose.yml',
      'scripts/demo/demo-environment.ts',
      'scripts/examples/receivers/receiver.mjs',
    ].flatMap((path) => [...read(path).matchAll(/\b[A-Z][A-Z0-9_]{3,}\b/g)].map(([word]) => word));
    const known = new Set<string>([
      ...[environmentNames, Object.keys(errorTable), failureCodes, eventKinds, zones, addressKinds].flat(),
      ...ofOtherFiles,
    ]);
    const ofShell = shellLines.flatMap((line) =>
      [...line.matchAll(/\$\{?([A-Z][A-Z_]+)|\b([A-Z][A-Z_]{3,})=/g)].map(([, used, set]) => used ?? set ?? ''),
    );
    const ofProse = inlineCode.flatMap((code) =>
      [...code.matchAll(/(?<![\w.-])[A-Z][A-Z0-9_]{3,}(?![\w.])/g)].map(([word]) => word),
    );
    const words = [...ofProse, ...ofShell].filter((word) => !['POST', 'PATCH', 'DELETE', 'SIGTERM'].includes(word));
    expect(words.length).toBeGreaterThan(50);
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  });

  test('given its administration, when each line is parsed, then it is a command with its options, and none is missing', () => {
    const lines = shellLines.filter((line) => line.startsWith('npm run admin -- '));
    const output = { write: () => undefined, writeError: () => undefined };
    const names = lines.map((line) => {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(4);
      return parseCommandLine(words, commands, output).command.name;
    });
    expect(names).toEqual(commands.map(({ name }) => name));
  });
});

describe('the tables of the README', () => {
  test('given the routes of the API, when the table is read, then it has each with its scope, in their order', () => {
    const rows = integratorRows.filter(([request = '']) => request.includes('/v1/'));
    const declared = routes.map(({ method, path, scope }) => [`\`${method.toUpperCase()} ${path}\``, `\`${scope}\``]);
    expect(rows.map((row) => row.slice(0, 2))).toEqual(declared);
  });

  test('given the errors that routes declare, when the table is read, then each is there with its true status', () => {
    const rows = integratorRows.filter(([, status = '']) => /^\d{3}$/.test(status));
    const shown = rows.map(([code = '', status]) => [code.replaceAll('`', ''), Number(status)]);
    for (const [code, status] of shown) expect([code, errorTable[code as ErrorCode]?.status]).toEqual([code, status]);
    const always = ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL_ERROR'];
    const declared = [...always, ...routes.flatMap(({ errors }) => errors)];
    expect(shown.map(([code]) => code)).toEqual(expect.arrayContaining(declared));
  });

  test('given what has no default, when the table of variables is read, then it names exactly that', () => {
    const rows = rowsOf(sectionOf('Running it in earnest'));
    const named = rows.flatMap(([names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const set = [...read('.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(set.sort());
  });
});

describe('the receivers of the README', () => {
  test.each([
    ['js', 'receiver.mjs'],
    ['python', 'receiver.py'],
    ['php', 'receiver.php'],
  ])('given the %s of the page, when it is compared with %s, then they are the same', (language, file) => {
    const shown = blocks.filter((block) => block.language === language).map(({ text }) => text);
    expect(shown).toEqual([read(`scripts/examples/receivers/${file}`)]);
  });
});

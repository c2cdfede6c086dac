// Level: ci
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { afterEach, describe, expect, findProgram, test, testWithPrograms, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startProgram } from '../support/processes/process-control.ts';
import { writeDemoFile } from '../support/product/service-process.ts';
import { startWorld } from '../support/product/world.ts';
import { blocksOf, readText, root, sectionOf } from '../support/project/markdown.ts';

const [readmeLines = ''] = blocksOf(sectionOf(readText('README.md'), 'Sending a letter with curl')).map(
  ({ text }) => text,
);
const blocks = blocksOf(sectionOf(readText('api/docs/guides/sending.md'), 'A letter from start to end')).map(
  ({ text }) => text,
);
/** Waits for the events before the last block deletes the webhook. One event arrives after its first retry. */
const waitForEvents = `i=0
while [ $i -lt 150 ] && [ "$(ls .data/inbox | grep -c "$id")" -lt 3 ]; do i=$((i + 1)); sleep 0.1; done
`;
const walk = [...blocks.slice(0, -1), waitForEvents, ...blocks.slice(-1)].join('\n');
/** The commands about paper: a check, and a letter's proof. */
const paperGuide = readText('api/docs/guides/paper.md');
const paper = ['Check before you send', 'See what goes to press']
  .flatMap((heading) => blocksOf(sectionOf(paperGuide, heading)).map(({ text }) => text))
  .join('\n');
const templates = blocksOf(sectionOf(readText('api/docs/guides/templates.md'), 'Create and send'))
  .map(({ text }) => text)
  .join('\n');
/** The commands about bulk. The rows are checked before the second block confirms. */
const bulkBlocks = blocksOf(sectionOf(readText('api/docs/guides/bulk.md'), 'A list from start to end')).map(
  ({ text }) => text,
);
const waitForRows = (curl: string) => `i=0
while [ $i -lt 150 ] && ! ${curl} -sS -H "$auth" "$BLUEJAY_URL/v1/bulk/$id" | grep -q '"status":"ready"'; do i=$((i + 1)); sleep 0.1; done
`;
const promisedBy = (lines: string) => [...lines.matchAll(/^# (\d{3}) /gm)].map(([, status]) => status);

describe('the shell commands of README and guide', () => {
  const world = startWorld({ hasWorkers: true });
  afterEach(killStartedPrograms);
  const newFolder = useTempFolders();

  /** Creates a folder like the repository after `npm start`, with a curl that records the status of each answer. */
  async function aCheckout(curl: string): Promise<string> {
    const checkout = await newFolder();
    await mkdir(join(checkout, '.data'));
    await mkdir(join(checkout, 'bin'));
    await symlink(join(root, 'scripts'), join(checkout, 'scripts'));
    const { key, organizationId } = await world.customer();
    const values = { BLUEJAY_URL: world.url, BLUEJAY_ORG: organizationId, BLUEJAY_TEST_KEY: key };
    await writeDemoFile(join(checkout, '.data'), values);
    const nodeScript = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'test/support/processes/kill-with-parent.program.ts')}' '${process.execPath}' "$@"\n`;
    const noting = `#!/bin/sh\nexec ${curl} "$@" -w '%{stderr}%{http_code}\\n' 2>>'${join(checkout, 'statuses')}'\n`;
    await writeFile(join(checkout, 'bin/curl'), noting, { mode: 0o755 });
    await writeFile(join(checkout, 'bin/node'), nodeScript, { mode: 0o755 });
    return checkout;
  }

  test.each([
    ['README', readmeLines],
    ['guide', walk],
    ['guide about paper', paper],
    ['guide about templates', templates],
    ['guide about bulk', bulkBlocks.join('\n')],
  ])('each curl command of the %s states the status of its answer', (_name, lines) => {
    expect(promisedBy(lines).length).toBeGreaterThan(3);
    expect(lines.match(/\bcurl /g)).toHaveLength(promisedBy(lines).length);
  });

  for (const shell of ['dash', 'bash']) {
    const curl = findProgram('curl');
    const testHere = testWithPrograms(shell, 'curl');

    /** Runs commands in a new checkout. Returns what they print and the status of each answer. */
    async function run(script: string) {
      const checkout = await aCheckout(curl ?? '');
      const environment = { PATH: `${join(checkout, 'bin')}:${process.env.PATH}` };
      const program = startProgram(shell, ['-euc', script], { cwd: checkout, environment });
      expect([await program.ended, program.output()]).toEqual([0, expect.any(String)]);
      const statuses = (await readFile(join(checkout, 'statuses'), 'utf8')).trim().split('\n');
      return { checkout, output: program.standardOutput(), statuses };
    }

    testHere(`in ${shell} each command of the README is answered as stated`, async () => {
      const { output, statuses } = await run(readmeLines);
      expect(statuses).toEqual(promisedBy(readmeLines));
      expect(output).toContain('"externalId":"order-1024","status":"queued"');
    });

    testHere(`in ${shell} each command of the guide about paper is answered as stated`, async () => {
      const { checkout, output, statuses } = await run(paper);
      // The letter may not be rendered at first: a 409, which this curl also reports in words.
      expect(statuses.filter((line) => !line.includes('409'))).toEqual(promisedBy(paper));
      expect(output).toContain('"canBePrinted":true');
      // The example leaves the window blank, so a newcomer's first letter has its address there.
      expect(output).toContain('"addressOn":"page"},"findings":[],');
      expect((await readFile(join(checkout, '.data/proof.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    });

    testHere(`in ${shell} each command of the guide about templates is answered as stated`, async () => {
      const { output, statuses } = await run(templates);
      expect(statuses).toEqual(promisedBy(templates));
      expect(output).toContain('"missingVariables":["amount"]');
      expect(output).toMatch(/"template":\{"templateId":"tpl_\w+","version":1\}/);
    });

    testHere(`in ${shell} each command of the guide about bulk is answered as stated`, async () => {
      const [before = '', after = ''] = bulkBlocks;
      const { output, statuses } = await run(before + waitForRows(curl ?? '') + after);
      expect(statuses).toEqual(promisedBy(bulkBlocks.join('\n')));
      expect(output).toContain('"rows":{"total":2,"valid":2,"faulty":0,"duplicates":0,"warned":0}');
      expect(output).toContain('"status":"sending"');
    });

    testHere(`in ${shell} each command of the guide is answered as stated`, async () => {
      const port = String(await findFreePort());
      const script = walk.replaceAll('4000', port).replace('node scripts', `PORT=${port} node scripts`);
      const { checkout, output, statuses } = await run(script);
      expect(statuses).toEqual(promisedBy(walk));
      const [, id = 'none'] = /"mailJobId":"(mj_\w+)"/.exec(output) ?? [];
      const kept = (await readdir(join(checkout, '.data/inbox'))).sort();
      expect(kept).toEqual(['MAIL_DELIVERED', 'MAIL_PRINTED', 'MAIL_QUEUED'].map((event) => `${event}.${id}.json`));
      expect(output).toContain('"duplicate":true');
    });
  }
});

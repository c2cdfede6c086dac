// Level: ci
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, useTempFolders } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aUser, openCli } from '#test/support/sdk/cli.ts';

describe('bluejay bulk', () => {
  const world = startWorld({ hasWorkers: true });
  const newFolder = useTempFolders();
  const cli = openCli();

  test('a list is priced, needs --yes without a terminal, and is sent', async () => {
    const folder = await newFolder();
    const { environment, file: document } = await aUser(world, folder);
    const list = join(folder, 'list.csv');
    await writeFile(
      list,
      'name,line1,zip,city,country\nAda,Rue Haute 1,1000,Bruxelles,BE\nBo,Rue Haute 2,1000,Bruxelles,BE\n',
    );
    const refused = await cli.run(['bulk', list, '--document', document], environment);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.output).toMatch(/Send 2 letters for .* needs a confirmation/);
    const sent = await cli.run(['bulk', list, '--document', document, '--yes', '--json'], environment);
    expect([sent.code, sent.output]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(sent.stdout)).toMatchObject({ status: 'sent', progress: { sent: 2 } });
  });

  test('a list with faults names its rows, is sent without them on demand, and is not left behind', async () => {
    const folder = await newFolder();
    const { environment, file, customer } = await aUser(world, folder);
    const list = join(folder, 'list.csv');
    await writeFile(
      list,
      'name,line1,zip,city,country\nAda,Rue Haute 1,1000,Bruxelles,BE\nBo,Rue Haute 2,,Bruxelles,BE\n',
    );
    const words = ['bulk', list, '--document', file];
    const refused = await cli.run(words, environment);
    expect([refused.code, refused.stdout]).toEqual([9, '']);
    expect(refused.output).toMatch(
      /^Row 3, zip: .*\nError: 1 row of the list cannot be sent\.\nFix them, or add --skip/m,
    );
    for (const [more, code] of [
      [[], 9],
      [['--skip-faulty'], 0],
    ] as const) {
      const dry = await cli.run([...words, '--dry-run', ...more], environment);
      expect([dry.code, dry.stdout]).toEqual([
        code,
        expect.stringMatching(/1 of 2 rows valid, .*Not sent \(dry run\)/),
      ]);
    }
    const sent = await cli.run([...words, '--skip-faulty', '--yes'], environment);
    expect([sent.code, sent.stdout]).toEqual([0, expect.stringMatching(/: sent, 1 sent, 0 refused\n$/)]);
    const lists = (await customer.http.get('/v1/bulk')).body.data;
    expect(lists.map(({ status }: { status: string }) => status)).toEqual([
      'sent',
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
  });

  test.each([
    ['no columns', 'list.csv', 'naam,straat\nAda,Rue\n', 9, /no column for: zip, city\.\nName its columns/],
    ['no list', 'list.zip', 'no archive', 9, /The list cannot be read\./],
    ['nothing', 'list.csv', '', 9, /The list is empty\./],
    ['another type', 'list.txt', 'a', 2, /must be a \.csv, \.xlsx or \.zip file/],
  ])('a list with %s is refused with what to do', async (_, name, content, code, text) => {
    const folder = await newFolder();
    const { environment, file } = await aUser(world, folder);
    await writeFile(join(folder, name), content);
    const document = name.endsWith('zip') ? [] : ['--document', file];
    const result = await cli.run(['bulk', join(folder, name), ...document, '--yes'], environment);
    expect([result.code, result.output]).toEqual([code, expect.stringMatching(text)]);
  });

  test('a list that the wallet cannot pay ends with the exit code of an empty wallet', async () => {
    const folder = await newFolder();
    const { environment, file } = await aUser(world, folder, { balanceCents: 0 });
    await writeFile(join(folder, 'list.csv'), 'name,line1,zip,city,country\nAda,Rue Haute 1,1000,Bruxelles,BE\n');
    const result = await cli.run(['bulk', join(folder, 'list.csv'), '--document', file, '--yes'], environment);
    expect([result.code, result.output]).toEqual([6, expect.stringContaining('Error: ')]);
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, useTempFolders } from '#test/support/jest.ts';
import { killStartedPrograms, startNode } from '#test/support/processes/process-control.ts';
import { aPdf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { isSignedBy, openReceiver } from '#test/support/webhooks/receiver.ts';

const main = join(import.meta.dirname, '../../../scripts/sdk/typescript/src/cli/main.ts');
const withinMs = 20_000;

describe('bluejay bulk and webhooks listen', () => {
  const world = startWorld({ hasWorkers: true });
  const newFolder = useTempFolders();
  afterEach(killStartedPrograms);

  const start = (words: string[], environment: Record<string, string>) =>
    startNode([main, ...words], { environment: { PATH: process.env.PATH, BLUEJAY_URL: world.url, ...environment } });

  test('a list is priced, needs --yes without a terminal, and is sent', async () => {
    const folder = await newFolder();
    const customer = await world.customer({ balanceCents: 100_000 });
    const [list, document] = [join(folder, 'list.csv'), join(folder, 'letter.pdf')];
    await writeFile(
      list,
      'name,line1,zip,city,country\nAda,Rue Haute 1,1000,Bruxelles,BE\nBo,Rue Haute 2,1000,Bruxelles,BE\n',
    );
    await writeFile(document, await aPdf());
    const environment = { BLUEJAY_API_KEY: customer.key, HOME: folder };
    const refused = start(['bulk', list, '--document', document], environment);
    expect([await refused.ended, refused.standardOutput()]).toEqual([1, '']);
    expect(refused.output()).toMatch(/Send 2 letters for .* needs a confirmation/);
    const sent = start(['bulk', list, '--document', document, '--yes', '--json'], environment);
    expect([await sent.ended, sent.output()]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(sent.standardOutput())).toMatchObject({ state: 'sent', progress: { sent: 2 } });
  });

  test('webhooks listen forwards signed events until Ctrl-C, and needs --forward', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const environment = { BLUEJAY_API_KEY: customer.key, WEBHOOK_SECRET: secret, HOME: await newFolder() };
    const program = start(['webhooks', 'listen', '--forward', receiver.url], environment);
    await program.waitForLine(/^Listening/, { withinMs });
    const id = await customer.sendAccepted();
    await program.waitForLine(new RegExp(`MAIL_QUEUED +${id}`), { withinMs });
    expect(receiver.received[0] && isSignedBy(secret, receiver.received[0])).toBe(true);
    program.kill('SIGINT');
    expect(await program.ended).toBe(0);
    expect(await start(['webhooks', 'listen'], environment).ended).toBe(2);
    await receiver.close();
  });
});

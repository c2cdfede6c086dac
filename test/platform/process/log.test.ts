// Level: ci
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { findLeaks } from '#scripts/find-log-leaks.ts';
import { afterEach, describe, eventually, expect, test } from '#test/support/jest.ts';
import { killStartedPrograms, startNode, startProductProcess } from '#test/support/processes/process-control.ts';
import { aLetter, aPdf, aRequestAddress, createClient, upload } from '#test/support/product/customer.ts';
import { findServicePorts } from '#test/support/product/service-process.ts';
import { startWorld } from '#test/support/product/world.ts';
import { answer, startRawReceiver } from '#test/support/webhooks/raw-receiver.ts';

const program = (statement: string) => [
  '--input-type=module',
  '-e',
  `import { createLog } from './common/platform/process/log.ts'; const log = createLog('test', 'info'); ${statement}`,
];

const street = 'Geheimstraat 77';
const reply = 'a-reply-that-is-nobody-elses';

/** Logs in a child process, because the log writes to standard output. */
async function logged(statement: string): Promise<string> {
  const logger = startNode(program(statement));
  expect(await logger.ended).toBe(0);
  return logger.standardOutput();
}

describe('the log', () => {
  test('a process that is killed has written its last line', async () => {
    const logger = startNode(program("log.info('last'); process.kill(process.pid, 'SIGKILL');"));
    expect(await logger.ended).toBe('SIGKILL');
    await eventually(() => expect(logger.standardOutput()).toContain('last'));
  });

  test.each([
    ['ends by itself', ''],
    ['exits at once', 'process.exit(0);'],
    ['exits by an uncaught error', "process.on('uncaughtException', () => process.exit(0)); throw new Error();"],
  ])('all lines are written in order when the process %s', async (_how, end) => {
    const lines = await logged(`for (const n of [1, 2, 3]) log.info({ n }, 'counted'); ${end}`);
    const numbers = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).n);
    expect(numbers).toEqual([1, 2, 3]);
  });
});

describe('the reader of the log', () => {
  const started = (statement: string) =>
    spawn(process.execPath, program(statement), { cwd: join(import.meta.dirname, '../../..') });

  test('the process continues when the reader of its log is gone', async () => {
    const logger = started(`
      log.info('first');
      process.stdin.once('data', () => {
        log.info('nobody reads this');
        log.error('nor this');
        process.exitCode = 7;
      });`);
    await once(logger.stdout, 'data');
    logger.stdout.destroy();
    await once(logger.stdout, 'close');
    logger.stdin.end('go');
    expect(await once(logger, 'exit')).toEqual([7, null]);
  });

  test('a slow reader gets all lines in order, even if they exceed the pipe’s buffer', async () => {
    const count = 20_000;
    const logger = started(`for (let n = 0; n < ${count}; n += 1) log.info({ n }, 'counted');`);
    const numbers: number[] = [];
    let text = '';
    for await (const chunk of logger.stdout.setEncoding('utf8')) {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      numbers.push(...lines.map((line) => JSON.parse(line).n));
      // The pipe is full by now.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(numbers).toEqual(Array.from({ length: count }, (_, n) => n));
  });
});

describe('the log lines of all processes', () => {
  const world = startWorld();
  afterEach(killStartedPrograms);

  test('no log line contains a secret, a street or a receiver’s reply, at any level', async () => {
    const environment = { ...world.environment, ...(await findServicePorts()), LOG_LEVEL: 'trace' };
    const programs = [
      await startProductProcess('api/server.ts', environment),
      await startProductProcess('workers/main.ts', environment),
    ];
    const failing = await startRawReceiver(answer('500 Broken', {}, reply));
    const gone = await startRawReceiver(answer('410 Gone', {}, reply));
    const customer = await world.customer();
    const http = createClient(`http://127.0.0.1:${environment.PORT}`, customer.key);
    for (const { port } of [failing, gone]) {
      const request = { url: `http://127.0.0.1:${port}/`, events: ['MAIL_QUEUED'] };
      expect((await http.post('/v1/webhooks', request)).status).toBe(201);
    }

    const files = [{ s3Key: await upload({ ...customer, http }, await aPdf()) }];
    const letter = await aLetter(customer, { files, recipients: [aRequestAddress({ line1: street })] });
    expect((await http.post('/v1/mails', letter)).status).toBe(201);
    expect((await http.post('/v1/mails', { ...letter, zone: 'NOWHERE' })).status).toBe(400);
    const stranger = createClient(`http://127.0.0.1:${environment.PORT}`, `${customer.key}x`);
    expect((await stranger.get('/v1/wallet')).status).toBe(401);
    const { organizationId } = customer;
    const areAnswered = async () => {
      const rows = await Delivery.find({ organizationId }).lean();
      expect(rows.map(({ lastResult }) => lastResult).sort()).toEqual(['410', '500']);
    };
    await eventually(areAnswered);

    for (const program of programs) {
      expect(program.output().split('\n').length).toBeGreaterThan(1);
      expect(findLeaks(program.output(), [street, reply])).toEqual([]);
    }
    expect(findLeaks('{"url":"whsec_x"}')).toHaveLength(1);
    await Promise.all([failing.close(), gone.close()]);
  });
});

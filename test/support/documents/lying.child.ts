import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { answerDescriptor, readRequest, writeAnswer } from '#common/documents/warm/warm-frames.ts';

/** A warm child that was taken over: it answers the file, which contains the way, with anything. */
const bytes = Buffer.from('answer');
const ways: Record<string, (ticket: number) => unknown> = {
  honest: (ticket) => writeAnswer(ticket, { outcome: 'done', value: 1, bytes }),
  twice(ticket) {
    writeAnswer(ticket, { outcome: 'done', value: 1, bytes });
    writeAnswer(ticket, { outcome: 'done', value: 1, bytes });
  },
  garbage: () => writeSync(answerDescriptor, 'no header at all'),
  huge: (ticket) => writeAnswer(ticket, { outcome: 'done', value: 1, bytes: Buffer.alloc(9 * 1024 * 1024) }),
  half: () => writeSync(answerDescriptor, 'half'),
  exit: () => process.exit(0),
  crash: () => process.kill(process.pid, 'SIGSEGV'),
  async attempts(ticket) {
    const tried = await Promise.all([
      attempt(() => readFileSync('/etc/hostname')),
      attempt(() => readFileSync('package.json')),
      attempt(() => writeFileSync('/tmp/written-by-a-child', '')),
      attempt(() => {
        if (spawnSync('true').error) throw new Error('no process');
      }),
      attempt(() => {
        if (Object.keys(process.env).includes('PATH')) return;
        throw new Error('no environment');
      }),
      attempt(
        () => new Promise((resolve, reject) => connect(53, '192.0.2.1').once('connect', resolve).once('error', reject)),
      ),
    ]);
    writeAnswer(ticket, { outcome: 'done', value: 1, bytes: Buffer.from(tried.join(' ')) });
  },
};

async function attempt(action: () => unknown): Promise<string> {
  try {
    await action();
    return 'done';
  } catch {
    return 'refused';
  }
}

for (let request = readRequest(); request; request = readRequest()) {
  const way = request.operation === 1 ? 'honest' : (Buffer.from(request.file).toString('utf8').split(' ').at(-1) ?? '');
  await ways[way]?.(request.ticket);
}

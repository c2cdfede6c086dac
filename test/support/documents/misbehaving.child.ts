import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, openSync, readFileSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { childMain } from '#common/documents/isolation/child-main.ts';

/** Misbehaves like a program taken over by a hostile document: `misbehaving.child.ts <how> <word>`. */
const [how = '', word = ''] = process.argv.slice(2);

const report = (words: object) => writeFileSync('report.json', JSON.stringify(words));
const forever = () => setInterval(() => {}, 1000);

const ways: Record<string, () => unknown> = {
  succeed() {
    writeFileSync('out.pdf', 'printed');
    report({ result: { environment: Object.keys(process.env), folder: process.cwd() }, cpuMs: 1, maxRssKb: 1 });
  },
  segfault: () => process.kill(process.pid, 'SIGSEGV'),
  exit137: () => process.exit(137),
  fail: () =>
    childMain('damaged_pdf', async () => {
      throw Object.assign(new Error('No space left on device.'), { code: 'ENOSPC', syscall: 'write' });
    }),
  hangAtExit() {
    // Stands for Node, which may wait for its own threads for ever.
    process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    return childMain('damaged_pdf', async () => {
      if (word === 'machine') readFileSync('missing');
      if (word === 'document') throw new Error('damaged');
      return { written: 'all' };
    });
  },
  throw() {
    throw new Error('a mistake of ours');
  },
  killed: () => process.kill(process.pid, 'SIGKILL'),
  terminated: () => process.kill(process.pid, 'SIGTERM'),
  hang() {
    process.on('SIGTERM', () => {});
    process.stderr.write('hanging');
    // A test reads from its length how often a child hung.
    if (word !== '') appendFileSync(word, '.');
    forever();
  },
  hangOnce() {
    if (existsSync(word)) return ways.succeed?.();
    return ways.hang?.();
  },
  spin() {
    for (;;);
  },
  spinOn() {
    // A handler keeps the process alive at the soft limit, so the hard one ends it.
    process.on('SIGXCPU', () => {});
    for (;;);
  },
  write1GB: () =>
    childMain('damaged_pdf', async () => {
      const file = openSync('large', 'w');
      const chunk = Buffer.alloc(1024 * 1024, 1);
      for (let written = 0; written < 1024; ) written += writeSync(file, chunk) / chunk.length;
      return { written: '1 GB' };
    }),
  take2GB: () =>
    childMain('damaged_pdf', async () => {
      const taken: Buffer[] = [];
      for (let i = 0; i < 2048; i += 1) taken.push(Buffer.alloc(1024 * 1024, 1));
      return { taken: taken.length };
    }),
  open100Files: () =>
    childMain('damaged_pdf', async () => {
      for (let i = 0; i < 100; i += 1) openSync(`file-${i}`, 'w');
      return { opened: 100 };
    }),
  throwLater: () =>
    childMain('damaged_pdf', async () => {
      setTimeout(() => {
        throw new Error('from a callback of a library');
      }, 10);
      return new Promise(() => forever());
    }),
  readOutside: () => childMain('damaged_pdf', async () => ({ read: readFileSync(word).length })),
  startProcess: () => childMain('damaged_pdf', async () => ({ pid: spawn('/bin/true').pid })),
  fork() {
    // Both outlive their parent, keep its standard error open and write to a file that the test reads. It ends once both
    // have written, because their start takes seconds on a busy machine.
    const script = `setInterval(() => require('fs').appendFileSync(${JSON.stringify(word)}, process.pid + '\\n'), 20)`;
    for (let i = 0; i < 2; i += 1) spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit'] });
    setInterval(() => {
      const lines = existsSync(word) ? readFileSync(word, 'utf8').split('\n') : [];
      // What follows the last line break may be a part of a number.
      if (new Set(lines.slice(0, -1)).size === 2) process.exit(137);
    }, 20);
  },
  callOut() {
    const socket = connect(Number(word), '127.0.0.1');
    socket.on('connect', () => report({ result: 'connected' }));
    socket.on('error', (error) => report({ result: (error as NodeJS.ErrnoException).code }));
    socket.on('close', () => process.exit(0));
  },
  readEnvironment() {
    try {
      report({ result: { bytes: readFileSync(`/proc/${word}/environ`).length } });
    } catch (error) {
      report({ result: (error as NodeJS.ErrnoException).code });
    }
  },
  lieAboutOutput() {
    symlinkSync('/etc/hostname', 'out.pdf');
    report({ result: 'see out.pdf' });
  },
  linkReport: () => symlinkSync(word, 'report.json'),
  largeReport: () => report({ result: 'x'.repeat(1024 * 1024) }),
  brokenReport: () => writeFileSync('report.json', '{"result":'),
  unknownFault: () => report({ fault: 'constructor' }),
  faultInFile: () => report({ fault: 'damaged_pdf', fileIndex: JSON.parse(word) }),
  noReport: () => process.exit(0),
  shout() {
    for (let i = 0; i < 200; i += 1) process.stderr.write(`${'x'.repeat(50_000)}\n`);
    process.stderr.write('last words');
    report({ result: null });
  },
};

ways[how]?.();

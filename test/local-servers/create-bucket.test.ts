// Level: ci
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { describe, expect, test } from '../support/jest.ts';
import { bringVersitygw, startVersitygw } from '../support/servers/versitygw.ts';

const root = join(import.meta.dirname, '../..');
const versitygw = await bringVersitygw(process.env);

/** Runs the command with only the variables of a container. */
function createBucket(store: Record<string, string>): Promise<{ code: number | null; output: string; errors: string }> {
  const env = {
    ...{ MONGODB_URI: 'mongodb://127.0.0.1', REDIS_URL: 'redis://127.0.0.1', ENCRYPTION_KEYS: `k1:${'A'.repeat(43)}=` },
    ...{ S3_ACCESS_KEY_ID: 'name', S3_SECRET_ACCESS_KEY: 'secret', ...store },
  };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['scripts/deploy/create-bucket.ts'],
      { cwd: root, env },
      (_error, output, errors) => resolve({ code: child.exitCode, output, errors }),
    );
  });
}

describe('the bucket of a new installation', () => {
  test('an unreachable store fails the command with one sentence that says what to check', async () => {
    const S3_ENDPOINT = `http://127.0.0.1:${await findFreePort()}`;
    const { code, output, errors } = await createBucket({ S3_ENDPOINT });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(
      new RegExp(`^The object store .*ECONNREFUSED.* Check S3_ENDPOINT \\(${S3_ENDPOINT}\\).*\\n$`),
    );
  });

  if ('binary' in versitygw) {
    test('creating the bucket twice succeeds both times', async () => {
      const { settings, stop } = await startVersitygw(versitygw.binary);
      try {
        const access = { S3_ACCESS_KEY_ID: settings.accessKeyId, S3_SECRET_ACCESS_KEY: settings.secretAccessKey };
        const store = { S3_ENDPOINT: settings.endpoint, ...access, S3_BUCKET: 'letters' };
        const done = { code: 0, output: 'The bucket letters exists.\n', errors: '' };
        expect([await createBucket(store), await createBucket(store)]).toEqual([done, done]);
        expect(await createBucket({ ...store, S3_SECRET_ACCESS_KEY: 'wrong' })).toMatchObject({ code: 1, output: '' });
      } finally {
        await stop();
      }
    });
  } else {
    test.skip(`creating the bucket [no versitygw: ${versitygw.missingBecause}]`);
  }
});

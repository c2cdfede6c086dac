// Level: unit
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#common/config/config.ts';
import { secretFileNames } from '#common/config/secret-files.ts';
import { describe, expect, test, useTempFolders } from '../support/jest.ts';
import { problemsOf, required } from '../support/project/environment.ts';

describe('a secret in a file', () => {
  const makeFolder = useTempFolders();
  const secrets = secretFileNames.map((name) => name.replace(/_FILE$/, ''));

  test.each(secrets)('%s_FILE replaces its variable, without the line end of the file', async (name) => {
    const optional = { SMTP_URL: 'smtp://127.0.0.1', S3_SESSION_TOKEN: 'a token' };
    const sentinel = { REDIS_SENTINELS: 'a', REDIS_SENTINEL_NAME: 'a', REDIS_SENTINEL_PASSWORD: 'a password' };
    const traces = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=token',
    };
    const all: Record<string, string> = { ...required, ...optional, ...sentinel, ...traces };
    const file = join(await makeFolder(), 'secret');
    await writeFile(file, `${all[name]}\n`);
    expect(readConfig({ ...all, [name]: undefined, [`${name}_FILE`]: file })).toEqual(readConfig(all));
  });

  test('a file that cannot be read is named alone, with its reason', () => {
    const set = { ...required, REDIS_URL: '', REDIS_URL_FILE: '/does/not/exist' };
    expect(() => readConfig(set)).toThrow('  REDIS_URL_FILE: the file cannot be read (ENOENT)');
    expect(problemsOf(set)).toEqual(['REDIS_URL_FILE']);
  });

  test('an empty file is a problem of its own variable and does not count as absent', async () => {
    const file = join(await makeFolder(), 'secret');
    await writeFile(file, '\n');
    const set = { ...required, SMTP_URL_FILE: file, REDIS_URL: '', REDIS_URL_FILE: file };
    expect(() => readConfig(set)).toThrow('  SMTP_URL_FILE: the file is empty\n');
    expect(problemsOf(set)).toEqual(['REDIS_URL_FILE', 'SMTP_URL_FILE']);
  });

  test('no message repeats the content or the path of a secret file', async () => {
    const file = join(await makeFolder(), 'secret');
    await writeFile(file, 'top-secret');
    for (const name of secrets) {
      for (const value of [file, 'redis://:top-secret@redis']) {
        const set = { ...required, [name]: '', [`${name}_FILE`]: value };
        const isAnyText = name.startsWith('S3_') && value === file;
        expect([name, value, problemsOf(set).length]).toEqual([name, value, isAnyText ? 0 : 1]);
        if (!isAnyText) expect(() => readConfig(set)).toThrow(/^(?!.*top-secret)/s);
      }
    }
  });

  test('a secret that is set twice is refused', () => {
    expect(() => readConfig({ ...required, MONGODB_URI_FILE: '/does/not/matter' })).toThrow(
      '  MONGODB_URI_FILE: set MONGODB_URI or this, not both',
    );
  });

  test('a bad value in a file is reported under the name of its variable', async () => {
    const file = join(await makeFolder(), 'secret');
    await writeFile(file, 'localhost:6379');
    expect(problemsOf({ ...required, REDIS_URL: '', REDIS_URL_FILE: file })).toEqual(['REDIS_URL']);
  });
});

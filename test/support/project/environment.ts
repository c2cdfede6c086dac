import { readConfig } from '#common/config/config.ts';
import { ConfigError } from '#common/config/config-error.ts';
import { expect } from '../jest.ts';

/** A key of ENCRYPTION_KEYS. */
export const key = (id: string, letter: string) => `${id}:${letter.repeat(43)}=`;
/** The variables without a default. */
export const required = {
  MONGODB_URI: 'mongodb://127.0.0.1:27017/bluejay',
  REDIS_URL: 'redis://127.0.0.1:6379',
  S3_ENDPOINT: 'http://127.0.0.1:7070',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  ENCRYPTION_KEYS: key('k1', 'A'),
};

/** Returns the names of the variables that the error of readConfig lists, in order. */
export function problemsOf(environment: Record<string, string | undefined>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return [...(error as Error).message.matchAll(/^ {2}([A-Z0-9_]+): /gm)].map(([, name]) => name ?? '');
  }
}

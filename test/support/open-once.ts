import { afterAll, beforeAll } from './jest.ts';

/**
 * Opens something before the tests of a file or block, and closes it after them if it has a `close`. Returns it at
 * once, for the tests to use: it has no properties before it is open.
 */
export function openOnce<T extends object>(open: () => Promise<T>): T {
  const target = {} as T & { close?: () => Promise<unknown> };
  let isOpen = false;
  beforeAll(async () => {
    Object.assign(target, await open());
    isOpen = true;
  });
  afterAll(async () => {
    await target.close?.();
  });
  return new Proxy(target, {
    get(opened, name) {
      if (!isOpen) throw new Error(`${String(name)} is used before beforeAll has opened it`);
      return opened[name as keyof T];
    },
  });
}

// Level: unit
import { createServer } from 'node:net';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { describe, expect, test } from '../support/jest.ts';

/** The lowest port that a system gives to a program that asks for any: Linux from 32,768, others from 49,152. */
const lowestGivenPort = 32_768;

describe('a free port', () => {
  test('no program that asks the system for any port is given it before it is used', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, findFreePort));
    expect(new Set(ports).size).toBe(20);
    for (const port of ports) expect(port).toBeLessThan(lowestGivenPort);
  });

  test.each([undefined, '127.0.0.1'])('a port on which a program listens is passed over (host %s)', async (host) => {
    // One process comes back to a port after 49 others.
    const first = await findFreePort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen({ port: first, host }, resolve));
    try {
      const others = [];
      for (let i = 0; i < 60; i += 1) others.push(await findFreePort());
      expect(others).not.toContain(first);
    } finally {
      server.close();
    }
  });
});

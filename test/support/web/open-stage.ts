import { composeApi } from '#api/compose-api.ts';
import { createApiServer } from '#api/http-servers.ts';
import { readConfig } from '#common/config/config.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import type { World } from '../product/world.ts';
import { openWebHost } from './web-host.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Opens a second API and web host on the stores of a world, like another process, with its own environment. */
export async function openStage(world: World, variables: Record<string, string>) {
  const { clock, log } = world;
  const config = readConfig({ ...world.environment, ...variables });
  const { api, services, revocations, tokenMint, endStreams, close } = composeApi({ config, clock, log });
  const server = createApiServer(api);
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  const host = await openWebHost({ config, log, services, revocations, customer: world.customer } as World, { clock });

  return {
    url,
    host,
    services,
    tokenMint,
    async close() {
      await host.close();
      endStreams();
      server.closeAllConnections();
      await closeServer(server);
      await close();
    },
  };
}

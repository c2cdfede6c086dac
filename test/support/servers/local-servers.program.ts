import { claimDataDir } from '#scripts/local-servers/claim-data-dir.ts';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { startLocalServers } from '#scripts/local-servers/start-local-servers.ts';
import { runProgram } from '#scripts/program/run-program.ts';

// A parent process for tests that kill it: starts the local servers on the folder of its argument, prints their pids and
// environment, and waits.
await runProgram(async () => {
  const dataDir = process.argv[2] ?? '';
  await claimDataDir(dataDir);
  const keeper = await startKeeper();
  const report = (line: string) => process.stderr.write(`${line}\n`);
  const options = {
    keeper,
    dataDir,
    environment: { PATH: process.env.PATH, HOME: process.env.HOME, XDG_CACHE_HOME: process.env.XDG_CACHE_HOME },
  };
  const { servers, environment } = await startLocalServers({ ...options, allowDownload: true, report });
  const pids = servers.map((server) => server.process.pid);
  process.stdout.write(`started ${JSON.stringify({ pids, keeperPid: keeper.pid, environment })}\n`);
  return new Promise(() => {});
});

// Level: push
import { Registry } from 'prom-client';
import { reconcileChore } from '#common/operations/reconcile.ts';
import { Chore } from '#common/platform/due-work/chore.model.ts';
import { walletIdOf } from '#common/wallet/ledger/move-money.ts';
import { Wallet } from '#common/wallet/ledger/wallet.model.ts';
import { registerReconcileMetrics } from '#workers/cleanup/reconcile-chore.ts';
import { describe, eventually, expect, test } from '../support/jest.ts';
import { killStartedPrograms, startNode, startProductProcess } from '../support/processes/process-control.ts';
import { startWorld } from '../support/product/world.ts';
import { root } from '../support/project/markdown.ts';

describe('the hourly reconciliation of the ledger', () => {
  const world = startWorld({ environment: { METRICS_PORT: '0' } });

  /** Runs the command as an operator does. */
  async function runCommand(...args: string[]) {
    const program = startNode(['scripts/reconcile.ts', ...args], { cwd: root, environment: world.environment });
    return { code: await program.ended, output: program.output(), standardOutput: program.standardOutput() };
  }

  test('an edited ledger is reported by the command’s exit code, by metric and by log', async () => {
    const registry = new Registry();
    registerReconcileMetrics(registry, world.clock, { isScanning: true });
    const metric = async (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(await registry.metrics())?.[1];
    expect(await metric('wallet_invariant_violations')).toBeUndefined();
    const sender = await world.customer();
    await sender.send();
    const startedMs = Date.now();
    const workers = await startProductProcess('workers/main.ts', {
      ...world.environment,
      LOG_LEVEL: 'info',
      WORKERS: 'scanner,cleanup',
    });

    expect(await runCommand()).toMatchObject({
      code: 0,
      standardOutput: 'Checked 2 wallets, 2 ledger entries and 1 mail jobs: all of it adds up.\n',
    });
    await workers.waitForLine(/"msg":"the ledger adds up"/);
    await eventually(async () => expect(await metric('wallet_invariant_violations')).toBe('0'));
    const ageS = Number(await metric('ledger_reconcile_age_seconds'));
    expect(ageS).toBeLessThanOrEqual((Date.now() - startedMs) / 1_000);

    const walletId = walletIdOf(sender);
    await Wallet.collection.updateOne({ _id: walletId as never }, { $inc: { balanceCents: -7 } });
    const chore = await Chore.findById(reconcileChore).orFail().lean();
    expect(chore.due?.at.getTime()).toBeGreaterThan(Date.now() + 59 * 60_000);
    await Chore.updateOne({ _id: reconcileChore }, { $set: { 'due.at': new Date() } });

    const line = await workers.waitForLine(/"msg":"the ledger does not add up"/);
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      violationCount: 2,
      violations: [{ id: walletId }, { id: walletId }],
    });
    await eventually(async () => expect(await metric('wallet_invariant_violations')).toBe('2'));
    const { code, output } = await runCommand();
    expect(code).toBe(2);
    expect(output).toContain(
      `wallet ${walletId}: the balance is the sum of the entries: expected 99779, found 99772\n`,
    );
    const asJson = await runCommand('--json');
    expect(asJson.code).toBe(2);
    const violation = { subject: 'wallet', id: walletId, expected: 99_779, found: 99_772 };
    expect(JSON.parse(asJson.standardOutput)).toEqual({
      wallets: 2,
      entries: 2,
      mailJobs: 1,
      violationCount: 2,
      violations: [
        { ...violation, rule: 'the balance is the sum of the entries' },
        { ...violation, rule: 'the balance is the balance after the last entry' },
      ],
    });
    expect(await sender.balanceCents()).toBe(99_772);
    workers.kill('SIGTERM');
    await workers.ended;
    await killStartedPrograms();
  });

  test('an unknown option is named, and the command exits with 1', async () => {
    const { code, output } = await runCommand('--fix');
    expect([code, output]).toEqual([1, expect.stringContaining('Usage: npm run reconcile')]);
  });
});

// Level: push
import { Registry } from 'prom-client';
import { reconcileChore } from '#common/operations/reconcile.ts';
import { Chore } from '#common/platform/due-work/chore.model.ts';
import { walletIdOf } from '#common/wallet/ledger/move-money.ts';
import { Wallet } from '#common/wallet/ledger/wallet.model.ts';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { checkLedger, readOptions } from '#scripts/reconcile/check-ledger.ts';
import { registerReconcileMetrics } from '#workers/cleanup/reconcile-chore.ts';
import { startWorkers } from '#workers/process/start-workers.ts';
import { describe, eventually, expect, test } from '../support/jest.ts';
import { startNode } from '../support/processes/process-control.ts';
import { startWorld } from '../support/product/world.ts';
import { root } from '../support/project/markdown.ts';

describe('the hourly reconciliation of the ledger', () => {
  const lines: string[] = [];
  const world = startWorld({ environment: { WORKERS: 'scanner,cleanup' }, onLogLine: (line) => lines.push(line) });
  /** Waits for a log line with this message, and returns it. */
  const waitForLog = async (message: string) =>
    await eventually(() => {
      const line = lines.find((each) => each.includes(`"msg":"${message}"`));
      if (line === undefined) throw new Error(`no line ${message}`);
      return JSON.parse(line);
    });

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
    const workers = await startWorkers(world.workersOptions);

    expect(await checkLedger({ asJson: false })).toEqual({
      exitCode: 0,
      text: 'Checked 2 wallets, 2 ledger entries and 1 mail jobs: all of it adds up.',
    });
    await waitForLog('the ledger adds up');
    await eventually(async () => expect(await metric('wallet_invariant_violations')).toBe('0'));
    const ageS = Number(await metric('ledger_reconcile_age_seconds'));
    expect(ageS).toBeLessThanOrEqual((Date.now() - startedMs) / 1_000);

    const walletId = walletIdOf(sender);
    await Wallet.collection.updateOne({ _id: walletId as never }, { $inc: { balanceCents: -7 } });
    const chore = await Chore.findById(reconcileChore).orFail().lean();
    expect(chore.due?.at.getTime()).toBeGreaterThan(Date.now() + 59 * 60_000);
    await Chore.updateOne({ _id: reconcileChore }, { $set: { 'due.at': new Date() } });

    expect(await waitForLog('the ledger does not add up')).toMatchObject({
      level: 'error',
      violationCount: 2,
      violations: [{ id: walletId }, { id: walletId }],
    });
    await eventually(async () => expect(await metric('wallet_invariant_violations')).toBe('2'));
    const { text, exitCode } = await checkLedger({ asJson: false });
    expect(exitCode).toBe(2);
    expect(text).toContain(`wallet ${walletId}: the balance is the sum of the entries: expected 99779, found 99772\n`);
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
    await workers.close();
  });

  test('an unknown option is named, with the usage', () => {
    expect(() => readOptions(['--fix'])).toThrow(OperatorError);
    expect(() => readOptions(['--fix'])).toThrow(/'--fix'[\s\S]*\nUsage: npm run reconcile/);
    expect(readOptions([])).toEqual({ asJson: false });
  });
});

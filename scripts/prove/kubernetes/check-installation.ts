import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { CommandError } from '../run-command.ts';
import type { Customer } from './customer/customer.ts';
import { type Installation, namespace, type Part, parts } from './installation.ts';

const drainS = 60;
/** Longer than a pod takes to end. */
const goneWithinMs = 10 * 60_000;
/** What a drain says about the last pod of a Deployment whose others have no node. */
const refusal = "would violate the pod's disruption budget";

type Pod = {
  metadata: { labels: Record<string, string>; deletionTimestamp?: string };
  status: { conditions?: { type: string; status: string }[] };
};

/** The strictest level of Pod Security is in force: a pod that asks for nothing special is refused. */
export async function checkRestricted({ kubectl }: Installation): Promise<string> {
  const message = await failureOf(kubectl('run', 'bare', '--image=bare'));
  if (!message.includes('violates PodSecurity "restricted')) throw new Error(`A bare pod was not refused: ${message}`);
  return 'a pod without the restrictions is refused';
}

export async function checkPods(installation: Installation): Promise<string> {
  await requireReady(installation, 2);
  return 'two ready pods of each part';
}

/** The opening balance of a test wallet does not last for the letters of all loads. */
export async function topUp({ admin }: Installation, organizationId: string): Promise<void> {
  const amount = ['--mode', 'test', '--cents', '1000000', '--reference', 'proof'];
  await admin('wallet', 'top-up', '--org', organizationId, ...amount);
}

export async function rollOut({ kubectl }: Installation, part: Part): Promise<void> {
  await kubectl('rollout', 'restart', `deployment/${namespace}-${part}`);
  await waitForRollout(kubectl, part);
}

/**
 * Drains a node of the API under load, of the pods of this installation. With other nodes, which take the evicted pods, it
 * succeeds. Without, the disruption budgets must keep one pod of each Deployment, and the drain ends without success.
 */
export async function drain(installation: Installation, customer: Customer): Promise<string> {
  const { kubectl } = installation;
  const flags = ['--ignore-daemonsets', '--delete-emptydir-data', `--timeout=${drainS}s`];
  const selector = `--pod-selector=app.kubernetes.io/instance=${namespace}`;
  const ofApi = ['--selector=app.kubernetes.io/component=api', '--output=jsonpath={.items[0].spec.nodeName}'];
  const node = await kubectl('get', 'pods', ...ofApi);
  let end = '';
  const counts = await customer.underLoad(async () => {
    try {
      const message = await messageOf(kubectl('drain', node, ...flags, selector));
      if (message !== undefined && !message.includes(refusal)) throw new Error(`The drain failed: ${message}`);
      if (message !== undefined) await requireReady(installation, 1);
      // On the other nodes. Without one they stay pending, and this fails.
      else for (const part of parts) await waitForRollout(kubectl, part);
      end = message === undefined ? 'the pods moved to other nodes' : 'no other node: the budgets kept one pod of each';
    } finally {
      await kubectl('uncordon', node);
    }
    for (const part of parts) await waitForRollout(kubectl, part);
  });
  return `${end}; ${counts}`;
}

/** An upgrade that replaces every pod, then the way back. */
export async function changeVersion(installation: Installation, customer: Customer): Promise<string> {
  const { install, helm, kubectl } = installation;
  const annotation = '{.spec.template.metadata.annotations.proof}';
  const read = () => kubectl('get', 'deployment', `${namespace}-api`, `--output=jsonpath=${annotation}`);
  return await customer.underLoad(async () => {
    await install('--set-string', 'pods.annotations.proof=second');
    if ((await read()) !== 'second') throw new Error('The upgrade did not change the pods.');
    await helm('rollback', namespace, '1', '--wait', '--timeout', '8m');
    if ((await read()) !== '') throw new Error('The rollback did not change the pods.');
    await requireReady(installation, 2);
  });
}

export async function checkMoney({ kubectl }: Installation): Promise<string> {
  return await kubectl('exec', `deployment/${namespace}-api`, '--', 'node', 'scripts/reconcile.ts');
}

/**
 * Removes it with the two commands of the guide, and checks that only the Secret, which is the operator's, and what
 * Kubernetes itself creates remain.
 */
export async function uninstall({ helm, kubectl }: Installation): Promise<string> {
  await helm('uninstall', namespace, '--wait', '--timeout', '4m');
  await kubectl('delete', 'serviceaccount,networkpolicy,job', '--selector=app.kubernetes.io/component=prepare');
  const kinds = ['all', 'configmap', 'secret', 'serviceaccount', 'networkpolicy', 'poddisruptionbudget', 'ingress'];
  const kept = ['configmap/kube-root-ca.crt', 'serviceaccount/default', 'secret/bluejay'];
  let left: string[] = [];
  // helm does not wait for the pods, which finish what they have begun.
  const isGone = async () => {
    const names = (await kubectl('get', kinds.join(','), '--output=name')).split('\n');
    left = names.filter((name) => name !== '' && !kept.includes(name));
    return left.length === 0;
  };
  const areGone = await pollUntil(isGone, { everyMs: 500, withinMs: goneWithinMs });
  if (!areGone) throw new Error(`helm has left: ${left.join(', ')}`);
  return 'only the Secret of the operator is left';
}

/** Throws unless each part has exactly `count` pods that are ready and stay. */
async function requireReady({ kubectl }: Installation, count: number): Promise<void> {
  const { items } = JSON.parse(await kubectl('get', 'pods', '--output=json')) as { items: Pod[] };
  const isReady = ({ metadata, status }: Pod) =>
    metadata.deletionTimestamp === undefined &&
    status.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True');
  for (const part of parts) {
    const pods = items.filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === part);
    const ready = pods.filter(isReady).length;
    if (ready !== count) throw new Error(`${part} has ${ready} ready pods instead of ${count}.`);
  }
}

async function waitForRollout(kubectl: Installation['kubectl'], part: Part): Promise<void> {
  await kubectl('rollout', 'status', `deployment/${namespace}-${part}`, '--timeout=10m');
}

/** Returns why a command failed. Throws when it succeeds. */
async function failureOf(command: Promise<string>): Promise<string> {
  const message = await messageOf(command);
  if (message === undefined) throw new Error('The command succeeded, and should not.');
  return message;
}

/** Returns why a command failed, or undefined when it succeeds. */
async function messageOf(command: Promise<string>): Promise<string | undefined> {
  try {
    await command;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
  return undefined;
}

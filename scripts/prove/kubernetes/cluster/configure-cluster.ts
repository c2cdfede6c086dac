import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { node } from './isolate.ts';

/** In /run, which is the cluster's own: the path of a socket is short. */
export const containerdSocket = '/run/containerd.sock';
/** The folder with the images and containers. */
export const containerdName = 'containerd';
export const kubeconfigName = 'kubeconfig.json';
/** The addresses of Services. Stores have fixed ones, because the cluster has no DNS. */
export const serviceRange = '10.96.0.0/24';

/** The files of a cluster. */
export type ClusterFiles = {
  kubeconfig: string;
  tokens: string;
  serviceAccountKey: string;
  containerd: string;
  kubelet: string;
};

/** Writes the configuration of all programs. What JSON can say is JSON, which is YAML too. */
export async function configureCluster(
  folder: string,
  { cniFolder, pauseImage }: { cniFolder: string; pauseImage: string },
): Promise<ClusterFiles> {
  const file = (name: string) => join(folder, name);
  const token = randomBytes(16).toString('hex');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const networks = file('networks');
  await mkdir(networks, { recursive: true });
  const texts = {
    [kubeconfigName]: JSON.stringify(kubeconfig(token)),
    'tokens.csv': `${token},admin,admin,"system:masters"\n`,
    'service-account.pem': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'containerd.toml': containerdConfig({ root: file(containerdName), networks, cniFolder, pauseImage }),
    'kubelet.json': JSON.stringify(kubeletConfig),
    'networks/10-pods.conflist': JSON.stringify(podNetwork),
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(file(name), text, { mode: 0o600 });
  return {
    kubeconfig: file(kubeconfigName),
    tokens: file('tokens.csv'),
    serviceAccountKey: file('service-account.pem'),
    containerd: file('containerd.toml'),
    kubelet: file('kubelet.json'),
  };
}

/** The API server makes its certificate itself. It is reached only inside the enclosure. */
function kubeconfig(token: string) {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'proof', cluster: { server: 'https://127.0.0.1:6443', 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'proof', context: { cluster: 'proof', user: 'admin' } }],
    'current-context': 'proof',
  };
}

type Containerd = { root: string; networks: string; cniFolder: string; pauseImage: string };

/** restrict_oom_score_adj: virtual machines may forbid lower scores. */
function containerdConfig({ root, networks, cniFolder, pauseImage }: Containerd): string {
  return `version = 2
root = "${root}"
state = "/run/containerd-state"
[grpc]
  address = "${containerdSocket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${cniFolder}"
    conf_dir = "${networks}"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`;
}

const podNetwork = {
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [
    {
      ...{ type: 'bridge', bridge: 'pods0', isGateway: true, hairpinMode: true, ipMasq: false },
      ipam: {
        ...{ type: 'host-local', dataDir: '/run/addresses' },
        ...{ ranges: [[{ subnet: '10.244.0.0/24' }]], routes: [{ dst: '0.0.0.0/0' }] },
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
};

const kubeletConfig = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  containerRuntimeEndpoint: `unix://${containerdSocket}`,
  clusterDNS: ['10.96.0.10'],
  // Both versions of cgroups, without systemd and without the right to change the limits of the whole machine.
  failCgroupV1: false,
  cgroupDriver: 'cgroupfs',
  resolvConf: '',
  cgroupsPerQOS: false,
  enforceNodeAllocatable: [],
  oomScoreAdj: 0,
  failSwapOn: false,
  // Otherwise pods that request ephemeral storage stay pending.
  localStorageCapacityIsolation: true,
  // The disk of this machine may be nearly full: pods must not be evicted for that.
  evictionHard: { 'memory.available': '100Mi' },
  imageGCHighThresholdPercent: 100,
  address: node.address,
};

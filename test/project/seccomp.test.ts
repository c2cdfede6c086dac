// Level: unit
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '../support/jest.ts';
import { root } from '../support/project/compose-file.ts';

type Argument = { index: number; value: number; valueTwo?: number; op: string };
type Rule = { names: string[]; action: string; args?: Argument[]; errnoRet?: number };

const profile = JSON.parse(readFileSync(join(root, 'scripts/deploy/seccomp.json'), 'utf8'));
const rules: Rule[] = profile.syscalls;
const rulesOf = (name: string) => rules.filter(({ names }) => names.includes(name));

/** Of linux/sched.h. */
const [newUser, newNet] = [0x10000000, 0x40000000];

describe('the seccomp profile of the services that open documents', () => {
  test('it refuses what it does not name, and 32-bit system calls', () => {
    expect([profile.defaultAction, profile.defaultErrnoRet]).toEqual(['SCMP_ACT_ERRNO', 1]);
    expect(profile.archMap).toEqual(
      ['X86_64', 'AARCH64'].map((name) => ({ architecture: `SCMP_ARCH_${name}`, subArchitectures: [] })),
    );
  });

  test('it permits a user namespace with a network namespace, and no other kind of namespace', () => {
    expect(rulesOf('unshare')).toMatchObject([
      { action: 'SCMP_ACT_ALLOW', args: [{ index: 0, value: newUser + newNet, op: 'SCMP_CMP_EQ' }] },
    ]);
    // All of linux/sched.h: mount, cgroup, uts, ipc, user, pid, net. Without them, clone starts threads and processes.
    expect(rulesOf('clone')).toMatchObject([
      { args: [{ index: 0, value: 0x7e020000, op: 'SCMP_CMP_MASKED_EQ' }], action: 'SCMP_ACT_ALLOW' },
    ]);
    // ENOSYS: the C library then uses clone, whose arguments a filter can read.
    expect(rulesOf('clone3')).toMatchObject([{ action: 'SCMP_ACT_ERRNO', errnoRet: 38 }]);
  });

  test('it permits no raw, packet or netfilter sockets, which a namespace would otherwise give', () => {
    const found = rulesOf('socket').map(({ args = [] }) =>
      args.map(({ index, value, valueTwo }) => [index, value, valueTwo]),
    );
    const [family, type, protocol] = [0, 1, 2];
    const [unix, inet, inet6, netlink] = [1, 2, 10, 16];
    const [stream, datagram, route] = [1, 2, 0];
    const ip = [inet, inet6].flatMap((version) =>
      [stream, datagram].map((kind) => [
        [family, version, undefined],
        [type, 15, kind],
      ]),
    );
    const others = [
      [[family, unix, undefined]],
      [
        [family, netlink, undefined],
        [protocol, route, undefined],
      ],
    ];
    expect(found.map(String).sort()).toEqual([...ip, ...others].map(String).sort());
  });

  test('it permits no option of iptables, whose numbers begin at 64', () => {
    const found = rulesOf('setsockopt').map(({ args = [] }) => args.map(({ index, value, op }) => [index, op, value]));
    const [level, option] = [1, 2];
    const [ip, socket, tcp, udp, ip6] = [0, 1, 6, 17, 41];
    const whole = [socket, tcp, udp].map((value) => [[level, 'SCMP_CMP_EQ', value]]);
    const below64 = [ip, ip6].map((value) => [
      [level, 'SCMP_CMP_EQ', value],
      [option, 'SCMP_CMP_LT', 64],
    ]);
    expect(found).toEqual([...whole, ...below64]);
  });

  test.each([
    'mount',
    'setns',
    'bpf',
    'ptrace',
    'process_vm_readv',
    'keyctl',
    'socketcall',
    'io_uring_setup',
    'chroot',
  ])('it refuses %s', (name) => {
    expect(rulesOf(name)).toEqual([]);
  });
});

import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

type Family = 'A' | 'AAAA';
/** The addresses of a name. Empty: the name does not exist. `silent`: no response. */
export type NameAnswer = string[] | 'silent';

export type NameServer = { address: string; questions: number; close(): Promise<void> };

const typeNumbers: Record<number, Family> = { 1: 'A', 28: 'AAAA' };

/** Starts a DNS server on loopback (UDP) that answers with the result of `resolve`. */
export async function startNameServer(resolve: (name: string, family: Family) => NameAnswer): Promise<NameServer> {
  const socket = createSocket('udp4');
  const server: NameServer = {
    address: '',
    questions: 0,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    server.questions += 1;
    const { name, end } = readName(query, 12);
    const family = typeNumbers[query.readUInt16BE(end)];
    const answer = family ? resolve(name, family) : [];
    if (answer !== 'silent') socket.send(reply(query, end + 4, answer), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}

function readName(packet: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** Builds a response (RFC 1035): id and question of the query, then one record per address, named by a pointer to byte 12. */
function reply(query: Buffer, questionEnd: number, addresses: string[]): Buffer {
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const data = address.includes(':') ? bytesOfV6(address) : Buffer.from(address.split('.').map(Number));
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(data.length === 4 ? 1 : 28, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, query.subarray(12, questionEnd), ...records]);
}

/** Encodes an IPv6 address that contains `::` once. */
function bytesOfV6(address: string): Buffer {
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

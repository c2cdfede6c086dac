import { systemClock } from '#common/clock.ts';
import { readCpuMs } from '#common/documents/isolation/process-usage.ts';
import { inParallel } from '#common/platform/concurrency/in-parallel.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { createUpload } from '#common/uploads/create-upload.ts';
import { type BenchProcess, type BenchServer, openBenchService } from '../bench-service.ts';
import { type BenchAccount, benchAddress, openBenchAccount } from '../open-bench-account.ts';

/** A customer with one upload and a balance that no benchmark exhausts. */
export type BenchCustomer = BenchAccount & { s3Key: string };

/** CPU time per process, in milliseconds. */
export type CpuMs = { api: number; mongodb: number; redis: number; caller: number };

export type WalletBench = {
  customers: BenchCustomer[];
  /** The API processes, and their origins. */
  apis: readonly BenchProcess[];
  urls: string[];
  /**
   * Returns the CPU time used so far; 0 where it is unknown. The caller is this process, which also runs the floors.
   */
  cpuMs(): CpuMs;
  /** Uploads a file and returns its S3 key. */
  freshUpload(customer: BenchAccount): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
};

const database = 'wallet';
const fileBytes = Buffer.alloc(2_000, 'letter');

/** The tariff of the benchmark. Every letter costs the same. */
const benchTariff = {
  zone: 'NATIONAL',
  serviceType: 'standard',
  validFrom: '2020-01-01T00:00:00.000Z',
  vatPercent: { HANDLING: 21, PRINT: 21, COLOR: 21, POSTAGE: 0, REGISTERED: 0, ACKNOWLEDGMENT_RECEIPT: 21 },
  handlingCents: 40,
  pageCents: 8,
  colorPageCents: 12,
  registeredCents: 733,
  acknowledgmentReceiptCents: 164,
  envelopeGrams: 5,
  postage: [{ upToGrams: 2_000, cents: 163 }],
};

/** Returns the body of a POST /v1/mails: one page, one recipient, the organization as the sender, no externalId. */
export function letterBody(s3Key: string): string {
  const letter = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };
  return JSON.stringify({ ...letter, recipients: [benchAddress], files: [{ s3Key }] });
}

/** Starts separate stores, customers and API processes in production mode, without workers. */
export async function openWalletBench(options: {
  customerCount: number;
  apiCount: number;
  /** The variables of each API process that differ from the defaults. */
  apiVariables?: readonly Record<string, string>[];
}): Promise<WalletBench> {
  const { customerCount, apiCount, apiVariables = [] } = options;
  const service = await openBenchService();
  const close = () => service[Symbol.asyncDispose]();
  try {
    const config = await service.openDatabase(database);
    await importTariffs([benchTariff]);
    const storage = { store: createObjectStoreClient(config.s3), maxStoredBytes: 1e12 };
    const freshUpload = async ({ owner }: BenchAccount) => {
      const request = { filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: fileBytes.length } as const;
      const { s3Key, uploadUrl, headers } = await createUpload(owner, request, storage, systemClock.now());
      const { status } = await fetch(uploadUrl, { method: 'PUT', headers, body: fileBytes });
      if (status !== 200) throw new Error(`The store answered ${status}.`);
      return s3Key;
    };
    const customers = await inParallel(Array.from({ length: customerCount }), async () => {
      const account = await openBenchAccount(config, 'live');
      return { ...account, s3Key: await freshUpload(account) };
    });
    const apis: BenchServer[] = [];
    // The access log is written as in production, but not read.
    for (let n = 0; n < apiCount; n += 1) apis.push(await service.startApi(database, apiVariables[n]));
    const sumMs = (processes: readonly BenchProcess[]) =>
      processes.reduce((sum, { pid }) => sum + (readCpuMs(pid) ?? 0), 0);
    const ofStore = (name: string) => sumMs(service.stores.filter((store) => store.name === name));
    const cpuMs = () => {
      const { user, system } = process.cpuUsage();
      const caller = (user + system) / 1_000;
      return { api: sumMs(apis), mongodb: ofStore('MongoDB'), redis: ofStore('Redis'), caller };
    };
    const urls = apis.map(({ origin }) => origin);
    return { customers, apis, urls, cpuMs, freshUpload, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

import { Redis, SentinelConnector } from 'ioredis';
import type { SentinelGroup } from '#common/config/sentinels.ts';

type ConnectorOptions = ConstructorParameters<typeof SentinelConnector>[0];
type OnError = Parameters<SentinelConnector['connect']>[0];
type Stream = Awaited<ReturnType<SentinelConnector['connect']>>;

/** How a sentinel announces a new master: `name old-ip old-port new-ip new-port`. */
const channel = '+switch-master';
const retryMs = 5_000;

/**
 * Returns the options of a client that asks the sentinels for the master before each connection. With `rediss://`,
 * sentinels and Redis both use TLS.
 */
export function sentinelOptions(group: SentinelGroup, isTls: boolean) {
  return {
    sentinels: group.hosts,
    name: group.name,
    ...(group.password !== undefined && { sentinelPassword: group.password }),
    ...(isTls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
    // A sentinel that hangs is skipped.
    sentinelCommandTimeout: 1_000,
    Connector: FailoverConnector,
  };
}

/** Returns an error of a sentinel with the variable that fixes it. */
export function explainSentinel(message: string): string {
  if (/No such master|invalid reply/.test(message))
    return `${message}: set REDIS_SENTINEL_NAME to the name after \`sentinel monitor\``;
  if (/NOAUTH|WRONGPASS/.test(message)) return `${message}: set REDIS_SENTINEL_PASSWORD to their requirepass`;
  return `${message}: check REDIS_SENTINELS`;
}

/**
 * Leaves the old master when a sentinel announces a new one. The connection to a master that hangs, or that the network
 * separates, would not break by itself for minutes, and a subscription would never notice.
 *
 * Replaces ioredis's `failoverDetector`, which prints each failure of a sentinel to standard error.
 */
class FailoverConnector extends SentinelConnector {
  private watchers: Redis[] = [];
  /** The master that a sentinel named last, `host:port`. All of them announce each new one. */
  private known: string | undefined;

  // Typed as ioredis calls it: with all options of the client.
  constructor(options: unknown) {
    super(options as ConnectorOptions);
  }

  override async connect(onError: OnError): Promise<Stream> {
    // Kept until `disconnect`, so that an announcement during an attempt to connect is not missed.
    if (this.watchers.length === 0) this.watchers = (this.options.sentinels ?? []).map((host) => this.watch(host));
    return await super.connect(onError);
  }

  override disconnect(): void {
    for (const watcher of this.watchers) watcher.disconnect();
    this.watchers = [];
    super.disconnect();
  }

  private watch({ host = '127.0.0.1', port = 26_379 }: { host?: string; port?: number }): Redis {
    const { sentinelPassword, sentinelTLS, connectTimeout = 5_000 }: ConnectorOptions = this.options;
    const watcher = new Redis({
      ...{ host, port, connectTimeout, enableReadyCheck: false, maxRetriesPerRequest: null, keepAlive: 10_000 },
      ...{ autoResubscribe: false, autoResendUnfulfilledCommands: false },
      ...(sentinelPassword !== undefined && { password: sentinelPassword }),
      ...(sentinelTLS !== undefined && { tls: sentinelTLS }),
      retryStrategy: () => retryMs,
    });
    // One sentinel is enough. When none answers, the client itself reports that.
    watcher.on('error', () => {});
    watcher.on('ready', () => {
      // A new master may have been announced before this connection. Asked first: a subscriber may not ask.
      watcher
        .call('SENTINEL', 'get-master-addr-by-name', this.options.name ?? '')
        .then((master) => this.leaveOld(master as string[] | null))
        .catch(() => {});
      watcher.subscribe(channel).catch(() => {});
    });
    watcher.on('message', (_channel: string, announcement: string) => {
      const [name, , , ...master] = announcement.split(' ');
      if (name === this.options.name) this.leaveOld(master);
    });
    return watcher;
  }

  /**
   * Breaks the connection when a sentinel names another master than before, unless it is to that one. The client then
   * asks a sentinel and connects again. Sentinels may name hosts (`announce-hostnames`), while a socket knows addresses:
   * then a connection that is already to the new master is broken too, but only once.
   */
  private leaveOld(master: readonly string[] | null): void {
    if (master === null) return;
    const [host, port] = master;
    const isNew = this.known !== undefined && this.known !== `${host}:${port}`;
    this.known = `${host}:${port}`;
    const { remoteAddress, remotePort } = this.stream ?? {};
    if (!isNew || (remoteAddress === host && String(remotePort) === port)) return;
    // Not `disconnect`, which would end an attempt to connect for good.
    this.stream?.destroy();
  }
}

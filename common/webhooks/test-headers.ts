/** A ping tells of a mail job that nobody has: its id begins with this, where a real one begins with `mj_`. */
export const pingPrefix = 'ping-';

/** What marks the delivery of a ping; nothing for that of an event. */
export function testHeaders({ mailJobId }: { mailJobId: string }): Record<string, string> {
  return mailJobId.startsWith(pingPrefix) ? { 'X-Service-Test': 'true' } : {};
}

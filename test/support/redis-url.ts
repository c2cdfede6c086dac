/** The Redis that the test run has started; every user of it takes keys of its own. */
export function redisUrl(): string {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('REDIS_URL is not set: run the tests with npm test, or start a redis-server and name it.');
  return url;
}

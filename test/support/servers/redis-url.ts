/** Returns the URL of the Redis of the test run. It is shared, so each user needs its own key prefix. */
export function redisUrl(): string {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('REDIS_URL is not set: run the tests with npm test, or set it to a running redis-server.');
  return url;
}

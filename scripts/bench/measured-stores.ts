/**
 * What a benchmark says of its stores beside where they are: a database as large in memory as docker-compose.yml has
 * it.
 */
export const measuredStores = { mongodbCacheGb: 1, allowDownload: true } as const;

/** Every credential and resource is either `test` or `live`; the two are fully isolated. */
export const modes = ['test', 'live'] as const;
export type Mode = (typeof modes)[number];

/** The owner of a resource: one mode of an organization. Part of every query. */
export type Owner = { organizationId: string; mode: Mode };

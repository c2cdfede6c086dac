/** A credential, and all that it makes, is for trying out or in earnest; the two never see each other. */
export const modes = ['test', 'live'] as const;
export type Mode = (typeof modes)[number];

/** Who owns a resource: what the specification calls an organization is one mode of it. Part of every query. */
export type Owner = { organizationId: string; mode: Mode };

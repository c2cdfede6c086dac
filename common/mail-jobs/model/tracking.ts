/**
 * What kind of number a label has. `s10`: UPU standard S10, 13 characters. `bpost-30`: 30 digits that begin with 010, of
 * registered letters within Belgium. `bpost-jjbea`: JJBEA and 18 digits, of those that were announced to bpost. `other`: the
 * number of another carrier.
 */
export const trackingSchemes = ['s10', 'bpost-30', 'bpost-jjbea', 'other'] as const;
export type TrackingScheme = (typeof trackingSchemes)[number];

/** The number on the label of a registered letter, in capitals and without spaces. */
export type Tracking = { number: string; scheme: TrackingScheme };

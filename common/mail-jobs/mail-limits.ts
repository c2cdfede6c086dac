/** The specification's limits of one mail job. */
export const maxLetter = { pages: 2_000, recipients: 100, files: 20 } as const;

/** Options that every collection shares: ids are ours, an unknown field is an error, and empty objects are kept. */
export const modelOptions = { versionKey: false, strict: 'throw', minimize: false, id: false } as const;

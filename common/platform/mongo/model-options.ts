/** Options of every collection: our own ids, an error for unknown fields, and empty objects are stored. */
export const modelOptions = { versionKey: false, strict: 'throw', minimize: false, id: false } as const;

import { z } from 'zod';
import { BatchManifest } from '#common/production/providers/hot-folder/batch-manifest.schema.ts';
import { PrintResults } from '#common/production/providers/hot-folder/print-results.schema.ts';

/** Where the schemas are published, from the root of the repository. */
export const pressSchemaFolder = 'api/docs/schemas';

/** Returns the files of the hot folder's JSON Schemas (draft 2020-12) by name. */
export function printPressSchemas(): Record<string, string> {
  const print = (schema: z.ZodType) =>
    `${JSON.stringify(z.toJSONSchema(schema, { io: 'input', override: shorten }), null, 2)}\n`;
  return {
    'batch-manifest.schema.json': print(BatchManifest),
    'print-results.schema.json': print(PrintResults),
  };
}

/** Removes what only repeats the format or the type, for people who read the schema. */
function shorten({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

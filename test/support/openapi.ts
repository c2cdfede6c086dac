import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createOpenApiDocument } from '../../api/openapi.ts';
import { routes } from '../../api/routes/index.ts';

// Tests look into the document at places that they know; a wrong guess fails there.
// biome-ignore lint/suspicious/noExplicitAny: the assertions judge what is found
export type AnyJson = any;

/** The document as the product serves it, a new copy for each call. */
export function readDocument(baseUrl = 'https://api.example.com', authUrl = 'https://app.example.com'): AnyJson {
  return JSON.parse(JSON.stringify(createOpenApiDocument({ routes, baseUrl, authUrl })));
}

/** What is wrong with values by the schemas of a document, in the words of a validator that knows nothing of ours. */
export function createJudge(document: AnyJson): (schema: object, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return (schema, value) => {
    // References in it begin at the document.
    const validate = ajv.compile({ ...schema, components: document.components });
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

export type FoundExample = { place: string; schema: object; value: unknown };

/** Every example of a document with the schema that it is an example of. */
export function findExamples(part: AnyJson, place = ''): FoundExample[] {
  if (typeof part !== 'object' || part === null) return [];
  const { schema, example, examples = {} } = part;
  if (schema === undefined) {
    return Object.entries(part).flatMap(([name, value]) => findExamples(value, `${place}/${name}`));
  }
  const named = Object.entries<AnyJson>(examples).map(([name, { value }]) => ({
    place: `${place}/${name}`,
    schema,
    value,
  }));
  return example === undefined ? named : [...named, { place, schema, value: example }];
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createOpenApiDocument } from '#api/openapi/openapi-document.ts';
import { routes } from '#api/routes/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: the assertions of the tests check the document
export type AnyJson = any;

const texts = new Map<string, string>();

/** Returns a new copy of the OpenAPI document that the product serves, which is created once for each pair of URLs. */
export function readDocument(baseUrl = 'https://api.example.com', authUrl = 'https://app.example.com'): AnyJson {
  const name = `${baseUrl} ${authUrl}`;
  const text = texts.get(name) ?? JSON.stringify(createOpenApiDocument({ routes, baseUrl, authUrl }));
  texts.set(name, text);
  return JSON.parse(text);
}

/** A validator that only warns would ignore part of a schema, such as a format that it does not know. */
const strictLogger = {
  ...console,
  warn(problem: unknown) {
    throw new Error(String(problem));
  },
};

/** Creates a validator, independent of the product, that returns the errors of a value by a schema of the document. */
export function createJudge(document: AnyJson): (schema: object, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: strictLogger });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    // References resolve from the root of the document, where each component is compiled once.
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

export type FoundExample = { place: string; schema: object; value: unknown };

/** Returns every example of a document with its schema. */
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

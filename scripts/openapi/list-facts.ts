import type { JsonSchema, Schemas } from './compare-schemas.ts';
import type { OpenApiDocument } from './find-breaking-changes.ts';

/** Something that a document promises. Facts of different requests with the same `what` are told in one line. */
export type Fact = {
  kind: 'request' | 'event' | 'parameter' | 'sent' | 'received' | 'sentValue' | 'receivedValue' | 'required';
  /** The request or event. */
  where: string;
  /** The parameter, field or value. Empty for a request or event itself. */
  what: string;
  /** Key of the fact that this one is about: a new field is not told for a new request. */
  parent: string | null;
};

/** Deeper than any of our schemas. Ends the walk of a schema that refers to itself. */
const maxDepth = 20;
const everyError = 'every error';

/** Lists the requests, events, parameters, fields and values of an OpenAPI document by a key that names each. */
export function listFacts({ paths, webhooks, components: { schemas } }: OpenApiDocument): Map<string, Fact> {
  const facts = new Map<string, Fact>();
  const add = (fact: Fact): string => {
    const key = [fact.kind, fact.where, fact.what].join(' ');
    if (!facts.has(key)) facts.set(key, fact);
    return key;
  };
  const addBody = (kind: 'sent' | 'received', where: string, schema: JsonSchema | undefined, parent: string): void => {
    if (schema) walk(schema, '', parent, 0);
    function walk(part: JsonSchema, at: string, above: string, depth: number): void {
      if (depth > maxDepth) return;
      for (const { properties = {}, required = [], items, enum: values = [] } of alternatives(part, schemas)) {
        for (const value of values) {
          if (value !== null) add({ kind: `${kind}Value`, where, what: `${at} ${value}`, parent: above });
        }
        if (items) walk(items, `${at}[]`, above, depth + 1);
        for (const [name, field] of Object.entries(properties)) {
          const what = at === '' ? name : `${at}.${name}`;
          const key = add({ kind, where, what, parent: above });
          if (kind === 'sent' && required.includes(name)) add({ kind: 'required', where, what, parent: key });
          walk(field, what, key, depth + 1);
        }
      }
    }
  };

  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries(operations)) {
      const where = `${method.toUpperCase()} ${path}`;
      const key = add({ kind: 'request', where, what: '', parent: null });
      for (const { name, schema } of parameters) {
        const own = add({ kind: 'parameter', where, what: name, parent: key });
        addBody('sent', where, { properties: { [name]: schema } }, own);
      }
      addBody('sent', where, requestBody?.content?.['application/json']?.schema, key);
      for (const [status, { content }] of Object.entries(responses)) {
        if (status.startsWith('2')) addBody('received', where, content?.['application/json']?.schema, key);
      }
    }
  }
  for (const [name, { post }] of Object.entries(webhooks)) {
    const key = add({ kind: 'event', where: name, what: '', parent: null });
    addBody('received', name, post.requestBody?.content?.['application/json']?.schema, key);
  }
  const errors = add({ kind: 'request', where: everyError, what: '', parent: null });
  addBody('received', everyError, schemas.Error, errors);
  return facts;
}

/** Returns the alternatives of a schema without references. */
function alternatives(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  if (name !== undefined) return alternatives(schemas[name] ?? {}, schemas);
  return schema.anyOf ? schema.anyOf.flatMap((each) => alternatives(each, schemas)) : [schema];
}

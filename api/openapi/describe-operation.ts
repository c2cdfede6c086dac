import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { AnyRoute } from '../route.ts';
import { describeErrors } from './describe-errors.ts';
import { headersOf } from './headers.ts';
import type { JsonObject, SchemaBook } from './schema-book.ts';
import { tagOf } from './tags.ts';

/** What several operations share, and each refers to. */
export type Shared = { book: SchemaBook; responses: JsonObject };

/** A route as an operation of the document. */
export function describeOperation(route: AnyRoute, { book, responses }: Shared): JsonObject {
  const { operationId, summary, description, scope, mode, body, example } = route;
  const credential = `Takes a ${mode === undefined ? '' : `${mode} `}credential with the scope \`${scope}\`.`;
  const requestBody = body && {
    required: !body.safeParse(undefined).success,
    content: { 'application/json': withExample({ schema: book.ofRequest(body) }, example?.body) },
  };
  return {
    operationId,
    summary,
    description: description === undefined ? credential : `${description}\n\n${credential}`,
    tags: [tagOf(route).name],
    security: [{ bearer: [] }, { apiKey: [] }, { oauth2: [scope] }],
    'x-required-scope': scope,
    ...(mode && { 'x-required-mode': mode }),
    parameters: describeParameters(route, book),
    ...(requestBody && { requestBody }),
    responses: { ...describeAnswers(route, book), ...describeErrors(route, responses) },
  };
}

function describeAnswers({ responses, otherFormats = {}, meanings, example }: AnyRoute, book: SchemaBook): JsonObject {
  return Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => {
      const content = withExample({ schema: book.ofAnswer(schema) }, example?.responses?.[Number(status)]);
      const description = meanings?.[Number(status)] ?? STATUS_CODES[status] ?? status;
      const others = Object.entries(status === '200' ? otherFormats : {}).map(([type, text]) => [
        type,
        { schema: { type: 'string' }, example: text },
      ]);
      const formats = { [contentTypeOf(schema)]: content, ...Object.fromEntries(others) };
      return [status, { description, headers: headersOf(Number(status)), content: formats }];
    }),
  );
}

/** JSON, save for what is streamed as a text of another type. */
function contentTypeOf(schema: z.ZodType): string {
  return String(z.globalRegistry.get(schema)?.contentType ?? 'application/json');
}

function describeParameters({ params, query, headers, example }: AnyRoute, book: SchemaBook): JsonObject[] {
  return [
    ...describeFields('path', params, example?.params, book),
    ...describeFields('query', query, example?.query, book),
    ...describeFields('header', headers, example?.headers, book),
  ];
}

/** The fields of a schema as parameters. */
function describeFields(
  place: 'path' | 'query' | 'header',
  schema: z.ZodType | undefined,
  example: unknown,
  book: SchemaBook,
): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = book.ofRequest(schema) as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name: place === 'header' ? headerName(name) : name,
    in: place,
    ...(description !== undefined && { description }),
    required: required.includes(name),
    // name[key]=value
    ...(place === 'query' && property.type === 'object' && { style: 'deepObject', explode: true }),
    ...withExample({ schema: property }, (example as JsonObject | undefined)?.[name]),
  }));
}

/** As people write it: idempotency-key is Idempotency-Key. */
function headerName(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function withExample(described: JsonObject, example: unknown): JsonObject {
  return example === undefined ? described : { ...described, example };
}

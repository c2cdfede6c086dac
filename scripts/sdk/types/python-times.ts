type Schema = { [name: string]: unknown };
type Document = { [name: string]: unknown };
/** The fields of an answer that are times, or have some within them. Lists are transparent. */
type TimeFields = { [name: string]: TimeFields | null };
type Operation = Schema & { operationId: string };

/** Values that no field of the API has. */
const [answerTime, requestTime] = ['TimeOfAnswer', 'TimeOfRequest'];

/** Returns a copy of a document whose times are marked by a value, which `nameTimes` replaces in what is generated. */
export function markTimes(document: Document): Document {
  const schemas = schemasOf(document);
  const requests = new Set<string>();
  for (const { parameters, requestBody } of operationsOf(document)) findReferences([parameters, requestBody]);
  function findReferences(part: unknown): void {
    for (const name of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (requests.has(String(name[1]))) continue;
      requests.add(String(name[1]));
      findReferences(schemas[String(name[1])]);
    }
  }
  const mark = (part: unknown, name: string): unknown => {
    if (Array.isArray(part)) return part.map((each) => mark(each, name));
    if (typeof part !== 'object' || part === null) return part;
    const { format, ...rest } = part as Schema;
    if (format === 'date-time') return { ...rest, enum: [name, ...(Array.isArray(rest.type) ? [null] : [])] };
    const isRequest = (key: string) => key === 'parameters' || key === 'requestBody' || requests.has(key);
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, mark(value, isRequest(key) ? requestTime : name)]),
    );
  };
  return mark(document, answerTime) as Document;
}

/** Returns generated types with their times as `datetime`, and those of requests as text as well. */
export function nameTimes(types: string): string {
  return types
    .replaceAll(`Literal['${answerTime}']`, 'datetime')
    .replaceAll(`Literal['${requestTime}']`, 'datetime | str');
}

/** Returns the Python module that tells which fields of each answer, and of events, are times. */
export function describeTimes(document: Document): string {
  const schemas = schemasOf(document);
  const answers = operationsOf(document).flatMap(({ operationId, responses }) => {
    const times = findTimes(Object.values(responses as Schema), schemas);
    return Object.keys(times ?? {}).length === 0 ? [] : [`    "${operationId}": ${print(times)},\n`];
  });
  const isEvent = (schema: Schema) => JSON.stringify((schema.properties as Schema)?.event ?? null).includes('"const"');
  const events = findTimes(
    Object.values(schemas).filter((each) => isEvent(each as Schema)),
    schemas,
  );
  const types = 'from typing import Any\n\n';
  return `${types}ANSWERS: dict[str, dict[str, Any]] = {\n${answers.join('')}}\n\nEVENTS: dict[str, Any] = ${print(events)}\n`;
}

function print(times: TimeFields | null): string {
  return JSON.stringify(times).replaceAll('null', 'None').replaceAll(/[:,]/g, '$& ');
}

/**
 * Returns the times below a part of the document, or null for a time. Free-form objects, such as metadata, declare no
 * properties, so nothing in them is one.
 */
function findTimes(part: unknown, schemas: Schema): TimeFields | null {
  if (typeof part !== 'object' || part === null) return {};
  const { $ref, format, properties, additionalProperties: _, ...rest } = part as Schema;
  if (format === 'date-time') return null;
  if (typeof $ref === 'string') return findTimes(schemas[$ref.split('/').at(-1) ?? ''], schemas);
  let found: TimeFields | null = {};
  for (const [name, field] of Object.entries((properties ?? {}) as Schema)) {
    const times = findTimes(field, schemas);
    if (times === null || Object.keys(times).length > 0) found[name] = times;
  }
  for (const other of Object.values(rest)) found = merge(found, findTimes(other, schemas));
  return found;
}

function merge(one: TimeFields | null, other: TimeFields | null): TimeFields | null {
  if (one === null || other === null) return null;
  const both = { ...one };
  for (const [name, times] of Object.entries(other)) both[name] = merge(both[name] ?? times, times);
  return both;
}

function schemasOf(document: Document): Schema {
  return (document.components as { schemas: Schema }).schemas;
}

function operationsOf(document: Document): Operation[] {
  return Object.values(document.paths as Schema).flatMap((path) => Object.values(path as Record<string, Operation>));
}

/** A JSON Schema, limited to the keywords that the API's document uses. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  [keyword: string]: unknown;
};

export type Schemas = Record<string, JsonSchema>;

export type Comparison = {
  /**
   * `sent` by clients: what was accepted must still be. `received` by clients: every new value must have been possible.
   */
  direction: 'sent' | 'received';
  /** The schemas that the references of each side resolve to. */
  before: Schemas;
  after: Schemas;
};

/** Deeper than any of our schemas. Ends the walk of a schema that refers to itself. */
const maxDepth = 40;
const lowerBounds = ['minimum', 'minLength', 'minItems', 'minProperties'];
const upperBounds = ['maximum', 'maxLength', 'maxItems'];

/** Returns the changes of a schema that break existing clients, each as `path: change`. */
export function compareSchemas(before: JsonSchema, after: JsonSchema, path: string, comparison: Comparison): string[] {
  const isSent = comparison.direction === 'sent';
  // Everything that the narrow side accepts must be accepted by the wide side.
  const sides = isSent
    ? { narrow: comparison.before, wide: comparison.after }
    : { narrow: comparison.after, wide: comparison.before };
  const say = (keyword: string, narrow: unknown, wide: unknown): string => {
    const [was, is] = (isSent ? [narrow, wide] : [wide, narrow]).map((value) => JSON.stringify(value) ?? 'anything');
    return `${keyword} was ${was}, is ${is}`;
  };

  function walk(narrow: JsonSchema, wide: JsonSchema, at: string, depth: number): string[] {
    if (depth > maxDepth) throw new Error(`${at} is too deep to be compared`);
    const targets = alternatives(wide, sides.wide);
    return alternatives(narrow, sides.narrow).flatMap((one) => {
      const tries = targets.map((target) => walkOne(one, target, at, depth + 1));
      const same = targets.findIndex(({ type }) => type === one.type);
      return tries.some((findings) => findings.length === 0)
        ? []
        : (tries[same] ?? [`${at}: ${say('type', typesOf(narrow, sides.narrow), typesOf(wide, sides.wide))}`]);
    });
  }

  function walkOne(narrow: JsonSchema, wide: JsonSchema, at: string, depth: number): string[] {
    const isOfType = wide.type === undefined || narrow.type === wide.type;
    if (!isOfType && !(narrow.type === 'integer' && wide.type === 'number')) {
      return [`${at}: ${say('type', narrow.type, wide.type)}`];
    }
    const findings = keywordsThatNarrow(narrow, wide).map(
      (keyword) => `${at}: ${say(keyword, keywordOf(narrow, keyword), keywordOf(wide, keyword))}`,
    );
    if (narrow.type === 'object') findings.push(...walkFields(narrow, wide, at, depth));
    if (narrow.items && wide.items) findings.push(...walk(narrow.items, wide.items, `${at}[]`, depth));
    return findings;
  }

  function walkFields(narrow: JsonSchema, wide: JsonSchema, at: string, depth: number): string[] {
    const isAlwaysThere = (name: string) => narrow.required?.includes(name) === true;
    const demanded = (wide.required ?? []).filter((name) => !isAlwaysThere(name));
    const findings = demanded
      .filter((name) => isSent || narrow.properties?.[name] !== undefined)
      .map((name) => `${at}.${name}: ${isSent ? 'is now required' : 'may now be missing'}`);
    if (isSent && wide.additionalProperties === false && narrow.additionalProperties !== false) {
      findings.push(`${at}: unknown fields are no longer taken`);
    }
    if (!isSent) {
      const gone = Object.keys(wide.properties ?? {}).filter((name) => narrow.properties?.[name] === undefined);
      findings.push(...gone.map((name) => `${at}.${name}: is gone`));
    }
    for (const [name, field] of Object.entries(narrow.properties ?? {})) {
      const known = wide.properties?.[name];
      if (known) findings.push(...walk(field, known, `${at}.${name}`, depth));
      else if (wide.additionalProperties === false) findings.push(`${at}.${name}: is no longer taken`);
    }
    const [rest, wideRest] = [narrow.additionalProperties, wide.additionalProperties];
    if (typeof rest === 'object' && typeof wideRest === 'object')
      findings.push(...walk(rest, wideRest, `${at}.*`, depth));
    return findings;
  }

  return [...new Set(isSent ? walk(before, after, path, 0) : walk(after, before, path, 0))];
}

/** Returns the alternatives of a schema, each with one type and without references. */
function alternatives(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  if (name !== undefined) {
    const target = schemas[name];
    if (!target) throw new Error(`There is no schema ${name}`);
    return alternatives(target, schemas);
  }
  if (schema.anyOf) return schema.anyOf.flatMap((each) => alternatives(each, schemas));
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];
}

function typesOf(schema: JsonSchema, schemas: Schemas): unknown[] {
  return alternatives(schema, schemas).map(({ type }) => type);
}

/** Returns the keywords by which `wide` refuses values that `narrow` accepts. */
function keywordsThatNarrow(narrow: JsonSchema, wide: JsonSchema): string[] {
  // Most keywords do not apply to null.
  if (narrow.type === 'null') return [];
  const values = valuesOf(wide);
  const isCovered = !values || valuesOf(narrow)?.every((value) => values.includes(value)) === true;
  const isBelow = (keyword: string) => Number(narrow[keyword] ?? -Infinity) < Number(wide[keyword] ?? -Infinity);
  const isAbove = (keyword: string) => Number(narrow[keyword] ?? Infinity) > Number(wide[keyword] ?? Infinity);
  const isOther = (keyword: string) => wide[keyword] !== undefined && narrow[keyword] !== wide[keyword];
  return [
    ...(isCovered ? [] : ['enum']),
    ...lowerBounds.filter(isBelow),
    ...upperBounds.filter(isAbove),
    ...['pattern', 'format', 'multipleOf'].filter(isOther),
  ];
}

function keywordOf(schema: JsonSchema, keyword: string): unknown {
  return keyword === 'enum' ? valuesOf(schema) : schema[keyword];
}

function valuesOf(schema: JsonSchema): unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const];
}

import { Schema } from 'mongoose';
import { modes } from '#common/modes.ts';
import type { Sealed } from '#common/secrets.ts';

declare const value: unique symbol;
declare const isOptional: unique symbol;

/** A field of a row: its definition for mongoose and, for the compiler, the type of its value. */
export type Field<Value> = { readonly [value]: Value };
type OptionalField<Value> = Field<Value> & { readonly [isOptional]: true };
type Fields = Readonly<Record<string, Field<unknown>>>;

type Definition = {
  type: unknown;
  enum?: readonly unknown[];
  required?: boolean;
  default?: unknown;
  contextOf?: (rowId: string) => string;
};
type Flat<T> = { [Name in keyof T]: T[Name] };
type ValueOf<F> = F extends Field<infer Value> ? Value : never;
type OptionalNames<F> = { [Name in keyof F]: F[Name] extends OptionalField<unknown> ? Name : never }[keyof F];

/** The type of a row with these fields. */
export type RecordOf<F> = Flat<
  { [Name in Exclude<keyof F, OptionalNames<F>>]: ValueOf<F[Name]> } & {
    [Name in OptionalNames<F>]?: ValueOf<F[Name]>;
  }
>;

/** Returns the field with this definition. For definitions that the functions below do not cover. */
export function field<Value>(definition: Definition): Field<Value> {
  return definition as unknown as Field<Value>;
}
const definitionOf = (of: Field<unknown>) => of as unknown as Definition;

export const text = field<string>({ type: String, required: true });
export const number = field<number>({ type: Number, required: true });
export const flag = field<boolean>({ type: Boolean, required: true });
export const date = field<Date>({ type: Date, required: true });

/** A text whose values the compiler checks, not the database. */
export const textOf = <Value extends string>() => text as unknown as Field<Value>;
/** One of a list of texts. */
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  field<Value>({ type: String, enum: values, required: true });
/** Whose the row is. */
export const owned = { organizationId: text, mode: oneOf(modes) };

/** A value that is stored as it is. */
export const mixed = <Value>() => field<Value>({ type: Schema.Types.Mixed, required: true });

/** An encrypted text, which resealing finds. `contextOf` returns the context of its encryption from the id of its row. */
export const sealed = (contextOf: (rowId: string) => string) =>
  field<Sealed>({ type: String, required: true, contextOf });

export type HasPaths = Pick<Schema, 'paths'>;

/** Returns the sealed fields of a schema and its parts: their paths, with their contexts. Throws for those in lists. */
export function sealedFieldsOf({ paths }: HasPaths): { path: string; contextOf: (rowId: string) => string }[] {
  return Object.values(paths).flatMap((type) => {
    const { path, options, schema } = type as typeof type & { schema?: HasPaths };
    const own = options.contextOf ? [{ path, contextOf: options.contextOf }] : [];
    const inner = schema ? sealedFieldsOf(schema) : [];
    const isListed = Array.isArray(options.type) && (inner.length > 0 || options.type[0].contextOf);
    if (isListed) throw new Error(`${path} is a list with sealed fields, which resealing does not reach`);
    return [...own, ...inner.map((each) => ({ ...each, path: `${path}.${each.path}` }))];
  });
}

/** A list, by default empty. */
export function list<Value>(of: Field<Value>): Field<Value[]> {
  const { required: _, ...element } = definitionOf(of);
  return field({ type: [element], required: true });
}

/** An object with fields of its own. */
export function part<F extends Fields>(fields: F): Field<RecordOf<F>> {
  return field({ type: new Schema(fields as never, { _id: false, strict: 'throw' }), required: true });
}

/** The same field with null as a further value, which is also the default. */
export function nullable<Value>(of: Field<Value>): Field<Value | null> {
  const { enum: values, ...definition } = definitionOf(of);
  return field({ ...definition, ...(values && { enum: [...values, null] }), required: false, default: null });
}

/** The same field with a default. */
export function defaulting<Value>(of: Field<Value>, initial: Value): Field<Value> {
  return field({ ...definitionOf(of), required: false, default: initial });
}

/** The same field, which a row may lack. */
export function optional<Value>(of: Field<Value>): OptionalField<Value> {
  // Without the explicit default, a list would be stored as an empty one.
  return field({ default: undefined, ...definitionOf(of), required: false }) as OptionalField<Value>;
}

/** Creates the schema of a collection: our own ids, an error for unknown fields, and empty objects are stored. */
export function schemaOf<F extends Fields>(collection: string, fields: F): Schema<RecordOf<F>> {
  const options = { versionKey: false, strict: 'throw', minimize: false, id: false, collection } as const;
  return new Schema(fields as never, options) as unknown as Schema<RecordOf<F>>;
}

/** Makes mongoose refuse all changes and deletions of stored rows, with `message`. */
export function makeAppendOnly(schema: Schema, message: string): void {
  function refuse(): never {
    throw new Error(message);
  }
  schema.pre(['updateOne', 'updateMany', 'replaceOne', 'findOneAndUpdate', 'findOneAndReplace'], refuse);
  schema.pre(['deleteOne', 'deleteMany', 'findOneAndDelete'], refuse);
  schema.pre(['updateOne', 'deleteOne'], { document: true, query: false }, refuse);
  schema.pre('save', function () {
    if (!this.isNew) refuse();
  });
  schema.pre('bulkWrite', (operations: readonly object[]) => {
    if (operations.some((operation) => !('insertOne' in operation))) refuse();
  });
}

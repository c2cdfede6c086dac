import type { components, operations } from './openapi.generated.ts';
import type { routes } from './routes.generated.ts';

/** The id of an operation in the OpenAPI document. */
export type OperationId = keyof typeof routes;

/** The schemas of the OpenAPI document by name: `Schemas['MailJob']`. */
export type Schemas = components['schemas'];

type Responses<Id extends OperationId> = operations[Id]['responses'];
type Success<Id extends OperationId> = Responses<Id>[Extract<keyof Responses<Id>, 200 | 201 | 202>];
type JsonOf<Answer> = Answer extends { content: { 'application/json': infer Json } } ? Json : never;
type AnyBody = { content: { 'application/json': unknown } };

/** The JSON answer of an operation. */
export type ResultOf<Id extends OperationId> = JsonOf<Success<Id>>;

/** The JSON body of a request. */
export type BodyOf<Id extends OperationId> =
  NonNullable<operations[Id]['requestBody']> extends infer Body
    ? Body extends AnyBody
      ? Body['content']['application/json']
      : never
    : never;

/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

/** The filters of a list, without the parameters that the iteration sets. */
export type FilterOf<Id extends OperationId> = Partial<QueryOf<Id>>;

/** An entry of a list. */
export type EntryOf<Id extends OperationId> = ResultOf<Id> extends { data: (infer Entry)[] } ? Entry : never;

/** The format of statements and reports. CSV is returned as text. */
export type Format = 'json' | 'csv';
export type InFormat<Id extends OperationId, F extends Format> = F extends 'csv' ? string : ResultOf<Id>;

/** The fields of a row that a read returns. `_id` is among them unless it is 0. */
export type Projection = Readonly<Record<string, unknown>>;

type Head<Path> = Path extends `${infer Name}.${string}` ? Name : Path;
/** The paths of a projection below a field, without the name of the field. */
type Below<P, Name extends string> = {
  [Path in keyof P as Path extends `${Name}.${infer Rest}` ? Rest : never]: P[Path];
};
type Inner<Value, P> = keyof P extends never
  ? Value
  : Value extends readonly (infer Element)[]
    ? Inner<Element, P>[]
    : Value extends object
      ? Part<Value, P>
      : Value;
type Part<Row, P> = {
  [Name in keyof Pick<Row, Extract<keyof Row, Head<keyof P>>>]: Inner<Row[Name], Below<P, Name & string>>;
};

/** What a read with projection `P` returns of a row. The whole row when the compiler does not know the paths. */
export type Projected<Row, P> = string extends keyof P
  ? Row
  : Part<Row, P extends { _id: unknown } ? Omit<P, '_id'> : P> &
      (P extends { _id: 0 } ? unknown : Pick<Row, Extract<keyof Row, '_id'>>);

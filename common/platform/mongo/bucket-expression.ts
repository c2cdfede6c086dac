type Expression = Record<string, unknown>;

/**
 * Returns an aggregation expression for the index of the bucket that `value` (such as `$at`) is in. `starts` are the
 * inclusive starts of the buckets, in order and of the type of the value; a value before the first one is in bucket 0.
 * A balanced tree: 366 buckets take 9 comparisons per row, where `$bucket` compares with each of them in turn.
 */
export function bucketExpression(value: string, starts: readonly (Date | string)[]): Expression {
  const branch = (first: number, last: number): Expression => {
    if (first >= last) return { $literal: first };
    const middle = Math.ceil((first + last) / 2);
    return { $cond: [{ $lt: [value, starts[middle]] }, branch(first, middle - 1), branch(middle, last)] };
  };
  return branch(0, starts.length - 1);
}

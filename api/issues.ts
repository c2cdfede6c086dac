import type { z } from 'zod';
import type { Issue } from '../common/errors.ts';

/** The faults that a schema found, as callers see them; unknown fields are named one by one. */
export function toIssues({ issues }: { issues: readonly z.core.$ZodIssue[] }): Issue[] {
  return issues.flatMap((issue): Issue[] => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: 'This field is not known. Check its spelling.',
      }));
    }
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      return toIssues({ issues: meantShape(issue.errors) }).map((inner) => ({
        ...inner,
        path: [...path, ...inner.path],
      }));
    }
    if (issue.code === 'invalid_key') return [{ path, message: issue.issues[0]?.message ?? issue.message }];
    return [{ path, message: isMissing(issue) ? 'This field is required.' : issue.message }];
  });
}

/**
 * Of several shapes that something could have, and the faults that it has as each: those as the last shape of which
 * nothing is missing, as the caller seems to have meant that one; else those as the first.
 */
function meantShape(faultsOfShapes: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  return faultsOfShapes.findLast((faults) => !faults.some(isMissing)) ?? faultsOfShapes[0] ?? [];
}

function isMissing({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && message.endsWith('received undefined');
}

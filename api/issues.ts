import type { z } from 'zod';
import type { Issue } from '../common/errors.ts';

/** The faults that a schema found, as callers see them; unknown fields are named one by one. */
export function toIssues(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: 'This field is not known. Check its spelling.',
      }));
    }
    const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
    return [{ path, message: isMissing ? 'This field is required.' : issue.message }];
  });
}

import type { z } from 'zod';
import type { Issue } from '#common/errors.ts';

/** Converts zod issues to the issues of the API. Each unknown field becomes an issue of its own. */
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
      return toIssues({ issues: issuesOfClosestShape(issue.errors) }).map((inner) => ({
        ...inner,
        path: [...path, ...inner.path],
      }));
    }
    if (issue.code === 'invalid_key') return [{ path, message: issue.issues[0]?.message ?? issue.message }];
    return [{ path, message: isMissing(issue) ? 'This field is required.' : issue.message }];
  });
}

/**
 * Picks the issues to report for a value that fits no member of a union: those of the last member without a missing
 * field, because the client most likely meant that one. Otherwise those of the first member.
 */
function issuesOfClosestShape(issuesByShape: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  return issuesByShape.findLast((issues) => !issues.some(isMissing)) ?? issuesByShape[0] ?? [];
}

function isMissing({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && message.endsWith('received undefined');
}

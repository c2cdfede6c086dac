import type { z } from 'zod';
import type { Issue } from '#common/errors.ts';
import { issueSentence, missingField } from '#common/fields/issue-sentence.ts';

/** Says what a value must be in place of the messages of zod. A repeated query parameter is a list of its values. */
const sentences = {
  body: issueSentence,
  query: (issue: z.core.$ZodRawIssue) =>
    Array.isArray(issue.input) ? 'Give this parameter once.' : issueSentence(issue),
};

/** Returns the parsed value. Adds what is wrong with it to the issues. */
export function parseInput(
  schema: z.ZodType | undefined,
  value: unknown,
  issues: Issue[],
  from: keyof typeof sentences = 'body',
): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value, { error: sentences[from] });
  // No spread: the number of issues may exceed the maximum number of arguments.
  if (!parsed.success) for (const issue of toIssues(parsed.error)) issues.push(issue);
  return parsed.data;
}

/** Converts zod issues to the issues of the API. Each unknown field becomes an issue of its own. */
function toIssues({ issues }: { issues: readonly z.core.$ZodIssue[] }): Issue[] {
  return issues.flatMap((issue): Issue[] => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: 'This field is not known. Check its spelling.',
      }));
    }
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const types = issue.errors.flatMap(([first]) => (first && isOfType(first) ? [first.message] : []));
      if (types.length === issue.errors.length) return [{ path, message: oneOf(types) }];
      return toIssues({ issues: issuesOfClosestShape(issue.errors) }).map((inner) => ({
        ...inner,
        path: [...path, ...inner.path],
      }));
    }
    if (issue.code === 'invalid_key') return [{ path, message: issue.issues[0]?.message ?? issue.message }];
    return [{ path, message: issue.message }];
  });
}

/** Joins what the members of a union say about a value of another type: `Must be text or a list.` */
function oneOf(messages: readonly string[]): string {
  const types = messages.map((message) => message.replaceAll(/^Must be |\.$/g, ''));
  return `Must be ${[...new Set(types)].join(' or ')}.`;
}

function isOfType(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0 && !isMissing(issue);
}

/**
 * Picks the issues to report for a value that fits no member of a union: those of the last member without a missing
 * field, because the client most likely meant that one. Otherwise those of the first member.
 */
function issuesOfClosestShape(issuesByShape: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  return issuesByShape.findLast((issues) => !issues.some(isMissing)) ?? issuesByShape[0] ?? [];
}

function isMissing({ message }: z.core.$ZodIssue): boolean {
  return message === missingField;
}

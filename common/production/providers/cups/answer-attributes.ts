import { type AnswerGroup, type AnswerValue, type IppAnswer, MalformedAnswerError } from './decode-answer.ts';
import { groupTags, valueTags } from './encode-request.ts';

const textTags: readonly number[] = [valueTags.text, valueTags.textWithLanguage];
const nameTags: readonly number[] = [valueTags.name, valueTags.nameWithLanguage];
const numberTags: readonly number[] = [valueTags.integer, valueTags.enum];
/** Keywords may also come as names where an administrator has added them (RFC 8011, 5.1.4). */
const keywordTags: readonly number[] = [valueTags.keyword, valueTags.mimeMediaType, ...nameTags];

/** Returns the groups of an answer with this tag, in their order. */
export function groupsOf(answer: IppAnswer, tag: number): AnswerGroup[] {
  return answer.groups.filter((group) => group.tag === tag);
}

/** Returns the only group with this tag. Throws `MalformedAnswerError` when there is none or more than one. */
export function onlyGroupOf(answer: IppAnswer, tag: number): AnswerGroup {
  const [group, second] = groupsOf(answer, tag);
  if (!group || second) throw new MalformedAnswerError('not exactly one group of attributes');
  return group;
}

/** Returns the one number of an attribute. Throws `MalformedAnswerError` when it is missing or no number. */
export function readNumber(group: AnswerGroup, name: string): number {
  return readOne(group, name, numberTags, 'number');
}

/** Returns the one boolean of an attribute. Throws `MalformedAnswerError` when it is missing or no boolean. */
export function readBoolean(group: AnswerGroup, name: string): boolean {
  return readOne(group, name, [valueTags.boolean], 'boolean');
}

/** Returns the one name of an attribute, or undefined when the printer does not tell it. */
export function readName(group: AnswerGroup, name: string): string | undefined {
  return group.attributes.has(name) ? readOne(group, name, nameTags, 'string') : undefined;
}

/** Returns a job's id, 1 to 2^31 - 1. Throws `MalformedAnswerError` when it is missing or none. */
export function readJobId(group: AnswerGroup): number {
  const id = readNumber(group, 'job-id');
  if (id < 1) throw new MalformedAnswerError('a job-id below 1');
  return id;
}

/** Returns all values of an attribute that are keywords or media types. Empty when there is no such attribute. */
export function readKeywords(group: AnswerGroup, name: string): string[] {
  const values = group.attributes.get(name) ?? [];
  return values.flatMap(({ tag, value }) => (keywordTags.includes(tag) && typeof value === 'string' ? [value] : []));
}

/** Returns all values of an attribute that are numbers. Empty when there is no such attribute. */
export function readNumbers(group: AnswerGroup, name: string): number[] {
  const values = group.attributes.get(name) ?? [];
  return values.flatMap(({ tag, value }) => (numberTags.includes(tag) && typeof value === 'number' ? [value] : []));
}

const maxReasons = 20;
const keywordPattern = /^[A-Za-z0-9._-]{1,255}$/;

/** Returns state reasons: the first 20 that are keywords (RFC 8011, 5.1.4), without `none`. */
export function readReasons(group: AnswerGroup, name: string): string[] {
  const reasons = readKeywords(group, name).filter((reason) => reason !== 'none' && keywordPattern.test(reason));
  return reasons.slice(0, maxReasons);
}

const maxMessageLength = 200;

/** Returns the printer's message about the status on one line of at most 200 characters, or an empty string. */
export function readStatusMessage(answer: IppAnswer): string {
  const [operation] = groupsOf(answer, groupTags.operation);
  const [first] = operation?.attributes.get('status-message') ?? [];
  if (!first || !textTags.includes(first.tag) || typeof first.value !== 'string') return '';
  return first.value
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, maxMessageLength);
}

function readOne<Type extends 'string' | 'number' | 'boolean'>(
  group: AnswerGroup,
  name: string,
  tags: readonly number[],
  type: Type,
): { string: string; number: number; boolean: boolean }[Type] {
  const values: readonly AnswerValue[] = group.attributes.get(name) ?? [];
  const [first, second] = values;
  if (!first || second || !tags.includes(first.tag) || typeof first.value !== type) {
    throw new MalformedAnswerError(`no usable ${name}`);
  }
  return first.value as { string: string; number: number; boolean: boolean }[Type];
}

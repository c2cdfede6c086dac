import { findBreakingChanges, type OpenApiDocument } from './find-breaking-changes.ts';
import { type Fact, listFacts } from './list-facts.ts';

const maxPlaces = 6;
const code = (text: string) => `\`${text}\``;

/**
 * Returns what changed from one OpenAPI document to the next, each as a line of Markdown: what breaks clients, what is
 * gone, what is new.
 */
export function describeChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const [old, now] = [listFacts(before), listFacts(after)];
  // More values in an answer break clients only that refuse unknown ones. They are told as new values.
  const breaking = findBreakingChanges(before, after).filter((finding) => !finding.includes(': enum was '));
  const breaks = breaking.map((finding) => `Breaks clients: ${code(finding)}`);
  return [...breaks, ...describe(old, now, goneTexts), ...describe(now, old, newTexts)];
}

type Texts = Record<Fact['kind'], (what: string, places: string) => string>;

const newTexts: Texts = {
  request: (_, places) => `New: ${places}`,
  event: (_, places) => `New event: ${places}`,
  parameter: (what, places) => `New parameter ${code(what)} of ${places}`,
  sent: (what, places) => `${code(what)} can be sent to ${places}`,
  received: (what, places) => `${code(what)} is in the answer of ${places}`,
  sentValue: (what, places) => `${code(withoutField(what))} can be sent to ${places}`,
  receivedValue: (what, places) => `${code(withoutField(what))} can be in the answer of ${places}`,
  required: (what, places) => `${code(what)} is now required by ${places}`,
};

const goneTexts: Texts = {
  request: (_, places) => `Removed: ${places}`,
  event: (_, places) => `Removed event: ${places}`,
  parameter: (what, places) => `Removed parameter ${code(what)} of ${places}`,
  sent: (what, places) => `${code(what)} is no longer taken by ${places}`,
  received: (what, places) => `${code(what)} is no longer in the answer of ${places}`,
  sentValue: (what, places) => `${code(withoutField(what))} is no longer taken by ${places}`,
  receivedValue: (what, places) => `${code(withoutField(what))} is no longer in the answer of ${places}`,
  required: (what, places) => `${code(what)} is no longer required by ${places}`,
};

/** Describes the facts that only the first document has, those about something that both have. */
function describe(facts: Map<string, Fact>, others: Map<string, Fact>, texts: Texts): string[] {
  const own = [...facts].flatMap(([key, fact]) => {
    const isTold = !others.has(key) && (fact.parent === null || others.has(fact.parent));
    return isTold ? [fact] : [];
  });
  const groups = Map.groupBy(own, ({ kind, where, what }) => `${kind} ${what === '' ? where : withoutField(what)}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    return first ? [texts[first.kind](first.what, placesOf(same))] : [];
  });
}

function placesOf(facts: readonly Fact[]): string {
  const names = [...new Set(facts.map(({ where }) => code(where)))];
  const shown = names.slice(0, maxPlaces).join(', ');
  return names.length > maxPlaces ? `${shown} and ${names.length - maxPlaces} more` : shown;
}

/** Returns the value of `events[] MAIL_POSTED`, and a field as it is. */
function withoutField(what: string): string {
  return what.slice(what.indexOf(' ') + 1);
}

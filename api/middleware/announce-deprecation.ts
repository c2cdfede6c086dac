import type { RequestHandler } from 'express';

/** The announced end of a route. At least a year lies between the two days. */
export type Deprecation = {
  /** The first day on which it is deprecated, in UTC: `2027-01-31`. */
  since: string;
  /** The day from which it may be gone. */
  sunset: string;
  /** What to use instead, as a sentence of Markdown. */
  instead: string;
  /** The path of the text that explains the change. Default: the guide on versions. */
  guide?: `/docs/${string}`;
};

const versionsGuide = '/docs/guides/conventions#versions';
const leadDays = 365;
const dayMs = 24 * 3_600_000;

/** Returns the moment at which a day begins. Throws for anything else than a day, so that a process does not start. */
function startOf(day: string): Date {
  const date = new Date(`${day}T00:00:00.000Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) {
    throw new Error(`"${day}" is not a day like 2027-01-31.`);
  }
  return date;
}

/** Returns the headers of a deprecated route: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to the guide. */
export function deprecationHeaders(
  { since, sunset, guide = versionsGuide }: Deprecation,
  baseUrl: string,
): Record<'Deprecation' | 'Sunset' | 'Link', string> {
  const [from, until] = [startOf(since), startOf(sunset)];
  if (until.getTime() - from.getTime() < leadDays * dayMs) {
    throw new Error(`A removal is announced ${leadDays} days ahead: ${since} to ${sunset} is less.`);
  }
  return {
    Deprecation: `@${from.getTime() / 1_000}`,
    Sunset: until.toUTCString(),
    Link: `<${baseUrl}${guide}>; rel="deprecation"; type="text/html"`,
  };
}

/** Sets the headers of a deprecated route on each of its answers, errors included. */
export function announceDeprecation(deprecated: Deprecation, baseUrl: string): RequestHandler {
  const { Link, ...headers } = deprecationHeaders(deprecated, baseUrl);
  return (_request, response, next) => {
    response.set(headers);
    response.append('Link', Link);
    next();
  };
}

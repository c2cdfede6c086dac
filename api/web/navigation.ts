import type { Texts } from './texts/en.ts';
import type { IconName } from './views/icon.ts';

/** One link of the navigation. */
export type NavigationLink = {
  path: `/${string}`;
  /** Its word in `texts.frame.pages`. */
  label: keyof Texts['frame']['pages'];
  icon: IconName;
  /** A program of its own, which knows no languages. */
  isForeign?: true;
};

/** What every user may open, in the order of the navigation. A page below a link's path belongs to that link. */
export const accountLinks: readonly NavigationLink[] = [
  { path: '/account', label: 'overview', icon: 'overview' },
  { path: '/account/letters', label: 'letters', icon: 'letter' },
  { path: '/account/addresses', label: 'addresses', icon: 'book' },
  { path: '/account/api-keys', label: 'apiKeys', icon: 'key' },
  { path: '/account/webhooks', label: 'webhooks', icon: 'webhook' },
  { path: '/account/job-webhook-secrets', label: 'jobWebhookSecrets', icon: 'shield' },
  { path: '/account/wallet', label: 'wallet', icon: 'wallet' },
  { path: '/account/applications', label: 'applications', icon: 'apps' },
  { path: '/account/profile', label: 'profile', icon: 'person' },
];

/** What administrators find below it. */
export const adminLinks: readonly NavigationLink[] = [
  { path: '/admin', label: 'system', icon: 'pulse' },
  { path: '/admin/organizations', label: 'organizations', icon: 'people' },
  { path: '/admin/letters', label: 'liveLetters', icon: 'letter' },
  { path: '/admin/clients', label: 'clients', icon: 'apps' },
  { path: '/admin/tariffs', label: 'tariffs', icon: 'tag' },
  { path: '/admin/audit', label: 'audit', icon: 'list' },
  { path: '/admin/queues', label: 'queues', icon: 'layers', isForeign: true },
];

/** The link that a page belongs to: the one whose path is the longest beginning of the page's own. */
export function currentLink(path: string): NavigationLink | undefined {
  return [...accountLinks, ...adminLinks]
    .filter((link) => path === link.path || path.startsWith(`${link.path}/`))
    .toSorted((left, right) => right.path.length - left.path.length)[0];
}

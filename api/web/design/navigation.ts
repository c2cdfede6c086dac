import type { Texts } from '#api/web/texts/texts.ts';
import type { IconName } from './icon.ts';

export type NavigationLink = {
  path: `/${string}`;
  /** Key in `texts.frame.pages`. */
  label: keyof Texts['frame']['pages'];
  icon: IconName;
  /** A separate application without language prefixes. */
  isExternal?: true;
};

/** Links for all users, in display order. Pages below a link's path belong to that link. */
export const accountLinks: readonly NavigationLink[] = [
  { path: '/account', label: 'overview', icon: 'overview' },
  { path: '/account/send', label: 'send', icon: 'send' },
  { path: '/account/letters', label: 'letters', icon: 'letter' },
  { path: '/account/bulk', label: 'bulk', icon: 'layers' },
  { path: '/account/templates', label: 'templates', icon: 'page' },
  { path: '/account/reports', label: 'reports', icon: 'chart' },
  { path: '/account/addresses', label: 'addresses', icon: 'book' },
  { path: '/account/api-keys', label: 'apiKeys', icon: 'key' },
  { path: '/account/webhooks', label: 'webhooks', icon: 'webhook' },
  { path: '/account/job-webhook-secrets', label: 'jobWebhookSecrets', icon: 'shield' },
  { path: '/account/wallet', label: 'wallet', icon: 'wallet' },
  { path: '/account/applications', label: 'applications', icon: 'apps' },
  { path: '/account/profile', label: 'profile', icon: 'person' },
];

/** Additional links for administrators. */
export const adminLinks: readonly NavigationLink[] = [
  { path: '/admin', label: 'system', icon: 'pulse' },
  { path: '/admin/organizations', label: 'organizations', icon: 'people' },
  { path: '/admin/letters', label: 'liveLetters', icon: 'letter' },
  { path: '/admin/press', label: 'press', icon: 'printer' },
  { path: '/admin/clients', label: 'clients', icon: 'apps' },
  { path: '/admin/tariffs', label: 'tariffs', icon: 'tag' },
  { path: '/admin/audit', label: 'audit', icon: 'list' },
  { path: '/admin/queues', label: 'queues', icon: 'layers', isExternal: true },
];

/** Returns the link that a page belongs to: the one with the longest matching path prefix. */
export function currentLink(path: string): NavigationLink | undefined {
  return [...accountLinks, ...adminLinks]
    .filter((link) => path === link.path || path.startsWith(`${link.path}/`))
    .toSorted((left, right) => right.path.length - left.path.length)[0];
}

import { html } from 'hono/html';
import type { Visit } from '#api/web/visit/visit.ts';
import { homeCountry } from '#common/countries.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { type Markup, nothing } from './markup.ts';

/** Renders an address as on an envelope. Shows the country only when it is abroad. */
export function postalAddress(
  { format }: Visit,
  { name, line1, line2, zip, city, country }: PostalAddress,
  { hasName = true } = {},
): Markup {
  return html`<address>${hasName ? html`<strong>${name}</strong><br>` : nothing}${line1}<br>${line2 === null ? nothing : html`${line2}<br>`}${zip} ${city}${country === homeCountry ? nothing : html`<br>${format.country(country)}`}</address>`;
}

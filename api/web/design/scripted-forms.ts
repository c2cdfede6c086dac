import { html } from 'hono/html';
import type { Visit } from '#api/web/visit/visit.ts';
import { sendScriptPath } from './assets.ts';
import { type Markup, nothing } from './markup.ts';

/**
 * Renders the part of a page whose forms the script `send.js` saves without reloading the page, with the progress of
 * uploads. Without JavaScript they are ordinary forms. The page needs the policy `hasRequests`.
 */
export function scriptedForms({ texts: { form } }: Visit, content: Markup, className?: string): Markup {
  const { failed, saved } = form.script;
  return html`<div${className === undefined ? nothing : html` class="${className}"`} data-send data-failed="${failed}" data-saved="${saved}" data-uploading="${form.uploading('{name}')}">
<p class="visually-hidden" role="status" id="send-status"></p>
${content}
</div>
<script type="module" src="${sendScriptPath}"></script>`;
}

/** Renders a part that the script replaces when a form was saved. */
export function region(name: string, content: Markup): Markup {
  return html`<div class="region" data-region="${name}">${content}</div>`;
}

/** Renders the list of uploads that run. `isWhole`: the form is sent as a whole, not file by file as they are chosen. */
export function uploadList({ isWhole = false }: { isWhole?: boolean } = {}): Markup {
  return html`<ul class="uploads" data-uploads="${isWhole ? 'whole' : 'single'}" hidden></ul>`;
}

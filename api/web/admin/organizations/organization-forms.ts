import { html } from 'hono/html';
import { postForm } from '#api/web/design/form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { modes } from '#common/modes.ts';

/** `base`: the path of the organization's page. */
type FormOf = { visit: Visit; sent: SentForm; base: string };

function modeField({ texts }: Visit) {
  const options = modes.toReversed().map((mode) => ({ value: mode, label: texts.words.modes[mode] }));
  return { name: 'mode', label: 'Wallet', options };
}

const referenceHint = 'Each reference works once per wallet, so submitting the form twice is safe.';

export function topUpForm({ visit, sent, base }: FormOf): Markup {
  return postForm(
    { visit, sent, action: `${base}/top-up` },
    (fields) => html`${fields.select(modeField(visit))}
${fields.text({ type: 'number', name: 'cents', label: 'Cents', hint: '50000 is €500.00.' })}
${fields.text({ name: 'reference', label: 'Payment reference', hint: referenceHint, maxLength: 255 })}
${fields.submit({ value: 'top-up', label: 'Top up' })}`,
  );
}

export function adjustForm({ visit, sent, base }: FormOf): Markup {
  return postForm(
    { visit, sent, action: `${base}/adjust` },
    (fields) => html`${fields.select(modeField(visit))}
${fields.text({ type: 'number', name: 'cents', label: 'Cents', hint: 'A negative number reduces the balance.' })}
${fields.text({ name: 'reason', label: 'Reason', hint: 'Shown on the statement.', maxLength: 255 })}
${fields.text({ name: 'reference', label: 'Case reference', hint: referenceHint, maxLength: 255 })}
${fields.submit({ value: 'adjust', label: 'Adjust', kind: 'plain' })}`,
  );
}

export function thresholdForm({ visit, sent, base }: FormOf): Markup {
  return postForm(
    { visit, sent, action: `${base}/threshold` },
    (fields) => html`${fields.select(modeField(visit))}
${fields.text({ type: 'number', name: 'cents', label: 'Low-balance threshold, in cents', hint: '0 for no threshold.' })}
${fields.submit({ value: 'save', label: 'Save', kind: 'plain' })}`,
  );
}

export function createUserForm({ visit, sent, base }: FormOf): Markup {
  const role = { value: 'yes', label: 'Administrator', hint: 'Can view and change all organizations' };
  return postForm(
    { visit, sent, action: `${base}/users` },
    (fields) => html`${fields.text({ type: 'email', name: 'email', label: 'Email address', maxLength: 320 })}
${fields.password({ name: 'password', label: 'Initial password', hint: visit.texts.form.passwordHint, autocomplete: 'new-password' })}
${fields.checkboxes({ name: 'isAdmin', label: 'Role', options: [role] })}
${fields.submit({ value: 'create', label: 'Create user' })}`,
  );
}

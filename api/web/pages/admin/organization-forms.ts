import { html } from 'hono/html';
import { modes } from '../../../../common/modes.ts';
import type { Markup } from '../../markup.ts';
import type { SentForm } from '../../read-form.ts';
import { postForm } from '../../views/form.ts';
import type { Visit } from '../../visit.ts';

/** `base`: the path of the organization's page. */
type FormOf = { visit: Visit; sent: SentForm; base: string };

function modeField({ texts }: Visit) {
  const options = modes.toReversed().map((mode) => ({ value: mode, label: texts.words.modes[mode] }));
  return { name: 'mode', label: 'Wallet', options };
}

const referenceHint = 'The same reference again moves nothing, so a form sent twice does no harm.';

export function topUpForm({ visit, sent, base }: FormOf): Markup {
  return postForm(
    { visit, sent, action: `${base}/top-up` },
    (fields) => html`${fields.select(modeField(visit))}
${fields.text({ type: 'number', name: 'cents', label: 'Cents', hint: '50000 is €500.00.' })}
${fields.text({ name: 'reference', label: 'Reference of the payment', hint: referenceHint, maxLength: 255 })}
${fields.submit({ value: 'top-up', label: 'Top up' })}`,
  );
}

export function adjustForm({ visit, sent, base }: FormOf): Markup {
  return postForm(
    { visit, sent, action: `${base}/adjust` },
    (fields) => html`${fields.select(modeField(visit))}
${fields.text({ type: 'number', name: 'cents', label: 'Cents', hint: 'A negative number takes money away.' })}
${fields.text({ name: 'reason', label: 'Reason', hint: 'It stands in the statement.', maxLength: 255 })}
${fields.text({ name: 'reference', label: 'Reference of the case', hint: referenceHint, maxLength: 255 })}
${fields.submit({ value: 'adjust', label: 'Adjust', kind: 'plain' })}`,
  );
}

export function thresholdForm({ visit, sent, base }: FormOf): Markup {
  return postForm(
    { visit, sent, action: `${base}/threshold` },
    (fields) => html`${fields.select(modeField(visit))}
${fields.text({ type: 'number', name: 'cents', label: 'Low below, in cents', hint: '0 for never.' })}
${fields.submit({ value: 'save', label: 'Save', kind: 'plain' })}`,
  );
}

export function createUserForm({ visit, sent, base }: FormOf): Markup {
  const role = { value: 'yes', label: 'Administrator', hint: 'Sees and changes all organizations' };
  return postForm(
    { visit, sent, action: `${base}/users` },
    (fields) => html`${fields.text({ type: 'email', name: 'email', label: 'E-mail address', maxLength: 320 })}
${fields.password({ name: 'password', label: 'Initial password', hint: visit.texts.signIn.passwordHint, autocomplete: 'new-password' })}
${fields.checkboxes({ name: 'isAdmin', label: 'Rights', options: [role] })}
${fields.submit({ value: 'create', label: 'Create the user' })}`,
  );
}

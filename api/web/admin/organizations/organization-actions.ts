import { z } from 'zod';
import { defineAction } from '#api/web/admin/admin-pages.ts';
import { type Redirect, redirect } from '#api/web/framework/answer.ts';
import {
  checkbox,
  choice,
  emailField,
  newPassword,
  requiredLine,
  wholeNumber,
} from '#api/web/framework/forms/form-fields.ts';
import { actorOf, type Visit } from '#api/web/visit/visit.ts';
import { modes } from '#common/modes.ts';
import { createUser } from '#common/organizations/create-user.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { setLowBalance } from '#common/wallet/low-balance.ts';
import { adjustWallet, type Posting, topUpWallet } from '#common/wallet/wallets.ts';
import { organizationPage, organizationParams, organizationPath } from './organization.ts';

/** Maximum amount of one posting: one million euros. */
const maxCents = 100_000_000;
const common = { params: organizationParams, page: organizationPage } as const;

export const createUserAction = defineAction({
  ...common,
  path: `${organizationPath}/users`,
  form: z.object({ email: emailField, password: newPassword, isAdmin: checkbox }),

  async run({ visit, params: { organizationId }, form, now }) {
    await createUser({ organizationId, ...form, address: visit.address }, now, actorOf(visit));
    return backTo(visit, organizationId, 'changeSaved');
  },
});

export const topUpAction = defineAction({
  ...common,
  path: `${organizationPath}/top-up`,
  form: z.object({ mode: choice(modes), cents: wholeNumber(1, maxCents), reference: requiredLine(255) }),

  async run({ visit, params: { organizationId }, form: { mode, cents, reference }, now }) {
    await readOrganization(organizationId);
    const posting = await topUpWallet({ organizationId, mode }, cents, reference, now, actorOf(visit));
    return afterPosting(visit, organizationId, posting);
  },
});

export const adjustAction = defineAction({
  ...common,
  path: `${organizationPath}/adjust`,
  form: z.object({
    mode: choice(modes),
    cents: wholeNumber(-maxCents, maxCents),
    reason: requiredLine(255),
    reference: requiredLine(255),
  }),

  async run({ visit, params: { organizationId }, form: { mode, cents: amountCents, reason, reference }, now }) {
    await readOrganization(organizationId);
    const adjustment = { amountCents, reason, reference };
    const posting = await adjustWallet({ organizationId, mode }, adjustment, now, actorOf(visit));
    return afterPosting(visit, organizationId, posting);
  },
});

export const setThresholdAction = defineAction({
  ...common,
  path: `${organizationPath}/threshold`,
  form: z.object({ mode: choice(modes), cents: wholeNumber(0, maxCents) }),

  async run({ visit, params: { organizationId }, form: { mode, cents }, now }) {
    await readOrganization(organizationId);
    const stamp = { by: actorOf(visit), at: now };
    await setLowBalance({ organizationId, mode }, cents === 0 ? null : cents, stamp);
    return backTo(visit, organizationId, 'changeSaved');
  },
});

function afterPosting(visit: Visit, organizationId: string, { isDuplicate }: Posting): Redirect {
  return backTo(visit, organizationId, isDuplicate ? 'usedReference' : 'changeSaved');
}

function backTo(visit: Visit, organizationId: string, notice: 'changeSaved' | 'usedReference'): Redirect {
  return redirect(visit.href(`/admin/organizations/${organizationId}`, { notice }));
}

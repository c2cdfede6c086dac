/**
 * Type tests of the declarations that the whole code relies on. `npm run lint` compiles this file: each
 * `@ts-expect-error` fails it when the line below compiles. Nothing here runs.
 */
import { z } from 'zod';
import { defineRoute, reply } from '#api/route.ts';
import { redirect } from '#api/web/framework/answer.ts';
import { noTexts, pagesWith } from '#api/web/framework/page.ts';
import { AppError } from '#common/errors.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { findRow, rowsOf } from '#common/platform/mongo/mongo.ts';

type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <_T extends true>(): void => {};

const route = {
  method: 'post',
  path: '/v1/things/{id}',
  scope: 'send',
  operationId: 'makeThing',
  summary: 'Make a thing',
  responses: { 201: z.object({ cents: z.int() }) },
  errors: ['CONFLICT'],
} as const;

export const routes = [
  // The handler gets parsed input: strings that a schema transforms arrive as what it returns.
  defineRoute({
    ...route,
    params: z.object({ id: z.string() }),
    query: z.object({ count: z.string().transform(Number) }),
    body: z.object({ name: z.string().optional() }),
    async handle({ params, query, body }) {
      isTrue<IsSame<typeof params, { id: string }>>();
      isTrue<IsSame<typeof query.count, number>>();
      isTrue<IsSame<typeof body.name, string | undefined>>();
      return reply(201, { cents: 1 });
    },
  }),
  // Without a schema there is no input to read.
  defineRoute({
    ...route,
    async handle({ body }) {
      isTrue<IsSame<typeof body, undefined>>();
      return reply(201, { cents: 1 });
    },
  }),
  defineRoute({
    ...route,
    // @ts-expect-error The status is not declared.
    handle: async () => reply(200, { cents: 1 }),
  }),
  defineRoute({
    ...route,
    // @ts-expect-error The body of this status has another type.
    handle: async () => reply(201, { cents: '1' }),
  }),
  defineRoute({
    ...route,
    // @ts-expect-error The scope does not exist.
    scope: 'letters',
    handle: async () => reply(201, { cents: 1 }),
  }),
  defineRoute({
    ...route,
    // @ts-expect-error The error code does not exist.
    errors: ['TEAPOT'],
    handle: async () => reply(201, { cents: 1 }),
  }),
  defineRoute({
    ...route,
    // @ts-expect-error Routes start with the version.
    path: '/things',
    handle: async () => reply(201, { cents: 1 }),
  }),
];

const forUsers = pagesWith('user', noTexts);
const forAnyone = pagesWith('anyone', noTexts);
const page = { path: '/things', show: async () => redirect('/') } as const;

export const pages = [
  // Only a page that requires a user knows one.
  forUsers.definePage({
    ...page,
    query: z.object({ cursor: z.string().optional() }),
    async show({ visit, query }) {
      isTrue<IsSame<typeof visit.user.isAdmin, boolean>>();
      isTrue<IsSame<typeof query, { cursor?: string | undefined }>>();
      return redirect('/');
    },
  }),
  forAnyone.definePage({
    ...page,
    // @ts-expect-error A visitor of a public page may not be signed in.
    show: async ({ visit }) => redirect(visit.user.email),
  }),
  forAnyone.definePage({
    ...page,
    // @ts-expect-error A page answers with a view, a redirect or a download.
    show: async () => '<p>text</p>',
  }),
  forAnyone.definePage({
    ...page,
    // @ts-expect-error A path begins with a slash.
    path: 'things',
  }),
];

const action = { path: '/things', form: z.object({ count: z.string().transform(Number) }) } as const;
const [shown] = pages;

export const actions = shown && [
  forUsers.defineAction({
    ...action,
    page: shown,
    async run({ form }) {
      isTrue<IsSame<typeof form, { count: number }>>();
      return redirect('/');
    },
  }),
  // @ts-expect-error A refused form needs a page to be shown on.
  forUsers.defineAction({ ...action, run: async () => redirect('/') }),
];

/** A read with a projection returns the fields that it names, and no other. */
export async function projections(): Promise<void> {
  const projection = { status: 1, 'amounts.totalCents': 1 } as const;
  const found = await findRow(MailJob, {}, { projection });
  found?._id satisfies string | undefined;
  found?.amounts.totalCents satisfies number | undefined;
  // @ts-expect-error The projection leaves the field out.
  found?.items;
  // @ts-expect-error It leaves out this part of the field too.
  found?.amounts.netCents;
  const row = await rowsOf<MailJobRecord>(MailJob).findOne({}, { projection: { _id: 0, status: 1 } });
  row?.status satisfies string | undefined;
  // @ts-expect-error It leaves out the id.
  row?._id;
  for await (const each of rowsOf<MailJobRecord>(MailJob).find({}, { projection })) {
    // @ts-expect-error As above.
    each.items;
  }
  // @ts-expect-error A type beside the projection could name other fields.
  await findRow<MailJobRecord>(MailJob, {}, { projection });
}

export function errors(error: AppError): void {
  // Which codes exist decides the status and the default text, so a code is no free string.
  isTrue<IsSame<string extends AppError['code'] ? true : false, false>>();
  isTrue<IsSame<typeof error.retryAfterS, number | undefined>>();
  // @ts-expect-error The code does not exist.
  new AppError('TEAPOT');
  // @ts-expect-error Whole seconds, not a header.
  new AppError('RATE_LIMITED', { retryAfterS: '1' });
  // @ts-expect-error A reported error does not change.
  error.code = 'CONFLICT';
}

export { errors } from './en/errors.ts';
export { form } from './en/form.ts';
export { frame } from './en/frame.ts';
export { notices } from './en/notices.ts';
export { words } from './en/words.ts';

export { errors } from './fr/errors.ts';
export { form } from './fr/form.ts';
export { frame } from './fr/frame.ts';
export { notices } from './fr/notices.ts';
export { words } from './fr/words.ts';

export { errors } from './nl/errors.ts';
export { form } from './nl/form.ts';
export { frame } from './nl/frame.ts';
export { notices } from './nl/notices.ts';
export { words } from './nl/words.ts';

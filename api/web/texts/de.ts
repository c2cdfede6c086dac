export { errors } from './de/errors.ts';
export { form } from './de/form.ts';
export { frame } from './de/frame.ts';
export { notices } from './de/notices.ts';
export { words } from './de/words.ts';

// What the commands use of the SDK. They are one folder deeper than a relative import may climb.
export { checkKey } from '../http/transport.ts';
export {
  Bluejay,
  BluejayError,
  type BodyOf,
  type FilterOf,
  type ResultOf,
  type Schemas,
  type StreamedEvent,
  version,
} from '../index.ts';

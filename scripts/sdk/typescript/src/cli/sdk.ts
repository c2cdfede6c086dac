// What the commands use of the SDK. They are one folder deeper than a relative import may climb.
export {
  Bluejay,
  BluejayError,
  type BodyOf,
  PermissionError,
  type ResultOf,
  type Schemas,
  type StreamedEvent,
} from '../index.ts';

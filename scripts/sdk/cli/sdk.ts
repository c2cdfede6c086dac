// What the commands use of the client. The build bundles its source, so the package depends on no other.
export {
  Bluejay,
  BluejayError,
  type BodyOf,
  type FilterOf,
  type ResultOf,
  type Schemas,
  type StreamedEvent,
  version,
} from '../typescript/src/index.ts';

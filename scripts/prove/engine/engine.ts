export type Environment = Record<string, string | undefined>;

/** A Docker engine with Compose. */
export type Engine = {
  /** The environment of `docker` and `docker compose`. */
  environment: Environment;
  /** Its kind and versions, for the record. */
  description: string;
  /** Ends what was started for it. */
  stop(): Promise<void>;
};

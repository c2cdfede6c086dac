/** The part of the WebAssembly interface that is used here: the compiler knows it from browsers only. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  type Exports = Record<string, unknown>;
  type Module = object;
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Exports;
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
}

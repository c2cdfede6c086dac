import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps compiled modules for the next start, which then needs neither 0.3 s of CPU time nor the compiler of TypeScript: 18
 * MB. Where the folder cannot be written, Node goes on without it.
 */
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/bluejay', import.meta.url)));

// Not a static import: Node would load the modules before the line above.
const { runWorkerProcess } = await import('./process/worker-process.ts');
runWorkerProcess(process.env);

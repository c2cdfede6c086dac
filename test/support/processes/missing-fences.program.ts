// Prints the fences that this process lacks, as JSON. The first argument is the path of the module.
const { findMissingFences } = await import(process.argv[2] ?? '');
process.stdout.write(JSON.stringify(await findMissingFences()));

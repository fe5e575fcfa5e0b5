// Loaded before everything else (`--import`, see package.json): fills the environment from `.env`, if there is one. Node's
// own `--env-file-if-exists` does the same, but says on each start without the file that it is not there.

try {
  process.loadEnvFile('.env')
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
    process.stderr.write(`The settings in .env cannot be read: ${(error as Error).message}\n`)
    process.exit(1)
  }
}

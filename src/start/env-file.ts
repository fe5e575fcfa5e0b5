// Loaded first (`--import`, see package.json): fills the environment from `.env`, if there is one. Node's own
// `--env-file-if-exists` prints a notice whenever the file is missing.

try {
  process.loadEnvFile('.env')
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
    process.stderr.write(`The settings in .env cannot be read: ${(error as Error).message}\n`)
    process.exit(1)
  }
}

/** How often it is looked whether npx is still there, milliseconds. */
const LOOK_MS = 500

/** npx and its shell end at a signal without passing it on: the program would go on, with the port and the folder. */
export function endWithNpx() {
  // oxlint-disable-next-line node/no-process-env -- no setting: npm tells its programs so
  if (process.env['npm_command'] !== 'exec') return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS).unref()
}

/** How often it is looked whether npx is still there, milliseconds. */
const LOOK_MS = 500

/**
 * npx and its shell end at a signal without passing it on: the program would go on, with the port and the folder.
 * SIGHUP says it once, as a terminal that closes does.
 */
export function endWithNpx() {
  // oxlint-disable-next-line node/no-process-env -- no setting: npm tells its programs so
  if (process.env['npm_command'] !== 'exec') return
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    process.kill(process.pid, 'SIGHUP')
  }, LOOK_MS).unref()
}

/** The oldest major version of Node that has all that is used; `engines` in package.json says the same. */
const OLDEST = 24

/** Why this Node cannot run the program, as a sentence; `undefined`: it can. */
export function tooOld(version) {
  if (Number.parseInt(version, 10) >= OLDEST) return undefined
  return `Footbridge needs Node ${OLDEST} or newer, and this is Node ${version}. In a checkout, npm ci without --omit=dev brings one that fits.`
}

/** Plain JavaScript that an old Node reads, too: said before anything that it cannot read is loaded. */
export function refuseOldNode() {
  const reason = tooOld(process.versions.node)
  if (reason === undefined) return
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

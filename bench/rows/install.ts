import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFolder } from '../footbridge.ts'
import type { Figure, Row } from '../row.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** All that `npm ci` reads. */
const NEEDED = ['package.json', 'package-lock.json', 'src/start/check-node.js', 'src/start/remove-unused.js']

/** Bytes on the disk; a file with several names counts once. */
function diskBytes(folder: string, seen = new Set<number>()): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const { ino, blocks } = statSync(join(entry.parentPath, entry.name))
    if (seen.has(ino)) continue
    seen.add(ino)
    bytes += blocks * 512
  }
  return bytes
}

/** `npm ci` in an empty folder, with npm's own cache as it is. */
export const installRow: Row = {
  name: 'install',
  isLarge: true,
  limitMs: 900_000,
  async run(scope) {
    const figures: Figure[] = []
    for (const options of [[], ['--omit=dev']]) {
      const folder = openFolder(scope)
      mkdirSync(join(folder, 'src/start'), { recursive: true })
      for (const name of NEEDED) copyFileSync(join(ROOT, name), join(folder, name))
      const command = ['ci', '--no-audit', '--no-fund', ...options]
      const at = performance.now()
      const npm = spawn('npm', command, { cwd: folder, stdio: 'ignore' })
      const [code] = (await once(npm, 'close')) as [number | null]
      const seconds = (performance.now() - at) / 1000
      if (code !== 0) throw new Error(`npm ${command.join(' ')} ended with ${String(code)}.`)
      const modules = join(folder, 'node_modules')
      const what = ['npm ci', ...options].join(' ')
      figures.push(
        { name: what, value: seconds, unit: 's', detail: 'with the packages in the cache of npm, where they are' },
        { name: `${what}, on disk`, value: diskBytes(modules) / 1e6, unit: 'MB' },
      )
    }
    return figures
  },
}

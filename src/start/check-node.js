import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// The package `node` fetches its binary in an install script, without the lock file: this file is the lock of the
// binary. Plain JavaScript: it runs under the Node of the machine, before the binary is trusted.

/** SHA-256 of the binary of each platform, for the version in package.json. */
const CHECKSUMS = {
  '26.10.0': {
    'linux-x64': 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
    'linux-arm64': '71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03',
    'darwin-arm64': '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861',
    'darwin-x64': '083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31',
    'win32-x64': 'cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4',
  },
}

const folder = join(process.cwd(), 'node_modules', 'node')
const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
if (existsSync(binary)) {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const platform = `${process.platform}-${process.arch}`
  const wanted = CHECKSUMS[version]?.[platform]
  const found = createHash('sha256').update(readFileSync(binary)).digest('hex')
  if (wanted !== undefined && wanted !== found) {
    rmSync(binary)
    process.stderr.write(
      `The Node that was installed is not the one of the lock: its SHA-256 is ${found}, not ${wanted}. It was removed. Run npm ci again; if it stays, ask who runs your package registry.\n`,
    )
    process.exitCode = 1
  }
  if (wanted === undefined)
    process.stdout.write(
      `Node ${version} for ${platform} has no checksum in src/start/check-node.js: it is not checked.\n`,
    )
}

#!/usr/bin/env node
// The program `footbridge`. One after the other: each must be done before the next is loaded.
import { endWithNpx } from './npx.js'

endWithNpx()
await import('./compile-cache.js')
await import('./env-file.ts')
await import('#src/cli.ts')

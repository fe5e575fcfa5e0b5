import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { refuseOldNode } from './node-version.js'

// Loaded before everything else (`--import`, see package.json): keeps Node's compiled code for the next start, which
// then takes half the time. Plain JavaScript: as TypeScript it would be stripped before there is a
// cache, and the code that strips it stays in memory (18 MB) although nothing else needs it once the cache is there.
// Not in the folder for temporary files, where others of this machine could put something in its place; where it cannot
// be written, as in a container, Node goes on without.

refuseOldNode()
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)))

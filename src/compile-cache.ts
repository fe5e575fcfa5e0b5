import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Loaded before everything else (`--import`, see package.json): keeps what Node compiled for the next start, which then
// takes half the time. Not in the folder for temporary files, where others of this machine could put something in its
// place; where it cannot be written, as in a container, Node goes on without.

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)))

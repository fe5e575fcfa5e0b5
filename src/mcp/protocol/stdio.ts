import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { RunTool } from '../tools/run-tool.ts'
import { createServer } from './server.ts'

/** Serves one agent over standard input and output; resolves when its input ends. */
export async function serveOverStdio(version: string, run: RunTool): Promise<void> {
  const ended = once(process.stdin, 'end')
  const handle = serveStdio(() => createServer(version, run))
  await ended
  await handle.close()
}

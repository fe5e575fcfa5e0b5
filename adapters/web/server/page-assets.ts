import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'
import type { Log } from '../../../src/bridge/port/platform.ts'

export interface Asset {
  readonly body: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly etag: string
}

export type AssetName = 'page.js' | 'page.css'

/** The page's code and style, bundled in memory the first time they are asked for. */
export interface Assets {
  /** Starts the bundling without waiting for it. */
  warm(): void
  get(name: AssetName): Promise<Asset>
}

const ENTRY = fileURLToPath(new URL('../page/main.tsx', import.meta.url))
const STYLE = fileURLToPath(new URL('../page/styles/page.css', import.meta.url))
const TYPES: Record<AssetName, string> = {
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
}

// One bundle a process: the files do not change, and a second build would be cut off by the first one's `stop`.
let bundle: Promise<ReadonlyMap<string, Asset>> | undefined

export function createAssets(log: Log): Assets {
  const load = async () => {
    bundle ??= bundlePage()
    try {
      return await bundle
    } catch (error) {
      bundle = undefined
      log.error({ err: error }, 'The web page could not be bundled. Run npm ci again, then restart.')
      throw error
    }
  }
  return {
    warm: () => void load().catch(() => undefined),
    async get(name) {
      const asset = (await load()).get(name)
      if (!asset) throw new Error(`The bundle holds no ${name}.`)
      return asset
    },
  }
}

async function bundlePage(): Promise<ReadonlyMap<string, Asset>> {
  const result = await build({
    entryPoints: { page: ENTRY, 'page-style': STYLE },
    outdir: '/',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  })
  // esbuild keeps a child process for the next build; there is none, and idle memory counts.
  await stop()
  const assets = new Map<string, Asset>()
  for (const file of result.outputFiles) {
    const name = file.path.endsWith('.css') ? 'page.css' : 'page.js'
    const etag = `"${createHash('sha256').update(file.contents).digest('base64url').slice(0, 22)}"`
    assets.set(name, { body: new Uint8Array(file.contents), type: TYPES[name], etag })
  }
  return assets
}

import { createHash } from 'node:crypto'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import type { Log } from '#bridge/port/platform.ts'
import { loadOnce } from '#lib/lru.ts'
import { type AssetName, bundlePage, NoBundler } from './bundle.ts'

export interface Asset {
  readonly body: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly etag: string
}

/** The page's code and style, bundled on first use. */
export interface Assets {
  /** Starts the bundling without waiting for it. */
  warm(): void
  get(name: AssetName): Promise<Asset>
  /** Why there is no page, as a sentence; `undefined`: it is there. */
  whyMissing(): Promise<string | undefined>
}

const TYPES: Record<AssetName, string> = {
  'page.js': 'text/javascript; charset=utf-8',
  'formulas.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
}

const NOT_BUNDLED = 'The web page could not be bundled: run npm ci again, then restart'

// One bundle per process: the files do not change, and a second build would be cut off by the first one's `stop`.
const makeOnce = loadOnce(makeAssets)

/** @param make default: bundles the page of this checkout, or reads that of the package */
export function createAssets(log: Log, make: () => Promise<ReadonlyMap<string, Asset>> = makeOnce): Assets {
  const load = async () => {
    try {
      return await make()
    } catch (error) {
      if (error instanceof NoBundler) log.error({}, error.message)
      else log.error({ err: error }, NOT_BUNDLED)
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
    whyMissing: () =>
      load().then(
        () => undefined,
        (error: unknown) => (error instanceof NoBundler ? error.message : `${NOT_BUNDLED}.`),
      ),
  }
}

/**
 * Kept next to the compiled code, and only where that is kept (src/start/compile-cache.js): a container writes its data
 * alone.
 */
async function makeAssets(): Promise<ReadonlyMap<string, Asset>> {
  const folder = getCompileCacheDir()
  const texts = await bundlePage(folder === undefined ? undefined : join(folder, 'page.json'))
  return new Map(texts.map(({ name, text }) => [name, toAsset(name, text)]))
}

function toAsset(name: AssetName, text: string): Asset {
  const body = new TextEncoder().encode(text)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { body, type: TYPES[name], etag }
}

/** HTML documents of the server; everything else is rendered by the page's code. */

const head = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/page.css">`

export const PAGE = `${head('Footbridge')}
<script type="module" src="/assets/page.js"></script>
</head>
<body>
<div id="page"></div>
<noscript><p class="plain">Footbridge needs JavaScript to show its conversations. Allow it for this address and reload.</p></noscript>
</body>
</html>
`

/** A document with one thing to do, without scripts. @param content HTML */
export const plainDocument = (title: string, content: string): string => `${head(`${title} · Footbridge`)}
</head>
<body class="login">
<main>
${content}
</main>
</body>
</html>
`

export function loginDocument(failure: string | undefined): string {
  const alert = failure ? `<p class="login-failure" id="failure" role="alert">${failure}</p>` : ''
  return plainDocument(
    'Log in',
    `<h1><img src="/assets/icon.svg" alt="" width="36" height="36">Footbridge</h1>
<p>Ask your files, and check every answer at its source.</p>
<form method="post" action="/login">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus${failure ? ' aria-invalid="true" aria-describedby="failure"' : ''}>
${alert}
<button type="submit">Log in</button>
</form>`,
  )
}

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0f6b5c"/><path d="M5 21.5h22M8 21.5c0-5.5 3.6-9.5 8-9.5s8 4 8 9.5M12 21.5v-6.2M16 21.5V12M20 21.5v-6.2" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>
`

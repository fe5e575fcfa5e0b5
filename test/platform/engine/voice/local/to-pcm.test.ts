import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toPcm } from '#platform/engine/voice/local/hear.ts'

test('a recording whose packets hold more sound than it says fills no disk: ffmpeg writes ten minutes at most', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-pcm-'))
  try {
    // Writes its arguments where the samples belong.
    const ffmpeg = join(folder, 'ffmpeg')
    writeFileSync(ffmpeg, '#!/bin/sh\nfor last; do :; done\necho "$@" > "$last"\n')
    chmodSync(ffmpeg, 0o700)
    const to = join(folder, 'samples')
    await toPcm({ from: join(folder, 'memo.ogg'), to, container: 'ogg', timeoutMs: 10_000, ffmpeg })
    expect(readFileSync(to, 'utf8')).toContain(` -fs ${610 * 16_000 * 2} -y ${to}`)
  } finally {
    await rm(folder, { recursive: true })
  }
})

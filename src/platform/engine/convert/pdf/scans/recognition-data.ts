import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** Usual folders of Tesseract's own data. Nothing is downloaded. */
const SYSTEM_FOLDERS = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
  '/usr/local/share/tessdata',
  '/opt/homebrew/share/tessdata',
]

/** Data in a package of npm, packed; English and German are dependencies. */
function findPackage(language: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(
      `@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`,
    )
  } catch {
    return undefined
  }
}

const findSystem = (language: string) =>
  SYSTEM_FOLDERS.map((folder) => join(folder, `${language}.traineddata`)).find((path) => existsSync(path))

/** Writes `<folder>/<language>.traineddata` unless it is there. @returns whether this machine has the language. */
async function provide(folder: string, language: string): Promise<boolean> {
  const path = join(folder, `${language}.traineddata`)
  if (existsSync(path)) return true
  const packed = findPackage(language)
  const system = findSystem(language)
  // Renamed when complete: two children may do this at once.
  const part = `${path}.${process.pid}`
  if (packed !== undefined) await writeFile(part, await promisify(gunzip)(await readFile(packed)))
  else if (system !== undefined) await copyFile(system, part)
  else return false
  await rename(part, path)
  return true
}

/** Languages that this machine has no data for: neither in the folder, nor in a package, nor of Tesseract's own. */
export const missingLanguages = (folder: string, languages: readonly string[]): readonly string[] =>
  languages.filter(
    (language) =>
      !existsSync(join(folder, `${language}.traineddata`)) &&
      findPackage(language) === undefined &&
      findSystem(language) === undefined,
  )

/**
 * Brings the data of these languages into the folder: from npm packages, or from Tesseract on this machine.
 *
 * @param languages Tesseract's names: `eng`, `deu`, `chi_sim`.
 * @returns those that this machine has.
 */
export async function prepareLanguages(folder: string, languages: readonly string[]): Promise<readonly string[]> {
  if (languages.length === 0) return []
  await mkdir(folder, { recursive: true })
  const ready = await Promise.all(languages.map((language) => provide(folder, language)))
  return languages.filter((_, index) => ready[index] === true)
}

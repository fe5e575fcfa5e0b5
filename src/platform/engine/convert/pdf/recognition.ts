import { existsSync } from 'node:fs'

/** Where systems put the data of Tesseract. Nothing is ever fetched. */
const folders = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
  '/usr/local/share/tessdata',
  '/opt/homebrew/share/tessdata',
]

/** Folder with data for text recognition, if this machine has one. */
export function findTessdata(): string | undefined {
  return folders.find((folder) => existsSync(`${folder}/eng.traineddata`))
}

export const recognizable = { ocrEnabled: true, ocrLanguage: 'eng', ocrFailureFatal: false } as const

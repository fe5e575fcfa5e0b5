import { FormData } from 'undici'

export interface UploadFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Blob
}

/** A multipart body with one file and further text fields; undici takes only its own FormData. */
export function createForm(
  part: string,
  file: UploadFile,
  fields: Readonly<Record<string, string | undefined>> = {},
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value)
  form.append(part, new File([file.bytes], file.name, { type: file.mimeType }))
  return form
}

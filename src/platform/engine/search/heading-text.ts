/** Words of a file's name belong to what stands above each of its chunks. */
export function toHeadingText(fileName: string, headings: readonly string[]): string {
  return [fileName.replace(/\.[^.]*$/, ''), ...headings].join(' \n ')
}

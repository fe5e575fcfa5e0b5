/** As much as the contract of speech takes in one request (OpenAI's). */
const LONGEST = 4096

/** An answer as it is read out: no marks, no markup, no addresses, no code; cut after a sentence. */
export function toSpeech(markdown: string): string {
  const plain = markdown
    .replace(/^(?:```|~~~)[\s\S]*?^(?:```|~~~).*$/gm, '')
    .replace(/\[\d+\]/g, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<?https?:\/\/\S+>?/g, '')
    .replace(/^\s*\|?[\s:|-]+\|[\s:|-]*$/gm, '')
    .replace(/^ {0,3}(?:#{1,6}|>|[-*+]|\d+[.)])[ \t]+/gm, '')
    .replace(/[*_`~|]+/g, ' ')
    .replace(/[ \t]+([.,;:!?。！？])/g, '$1')
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/^[ \t]+|[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  if (plain.length <= LONGEST) return plain
  const end = plain.slice(0, LONGEST).search(/[.!?。！？][^.!?。！？]*$/)
  return plain.slice(0, end > 0 ? end + 1 : LONGEST)
}

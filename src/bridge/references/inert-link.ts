/** `code`: a code span is safe here. `plain`: an odd backtick stands near, or code is open; the address itself is broken. */
export type LinkContext = 'code' | 'plain'

/** `https(://)example(.)org`: no service makes a link of it, whatever stands around it, and people can still read it. */
const defang = (address: string): string => address.replace(/:?\/\/|[:@]/g, '($&)').replaceAll('.', '(.)')

/** An address that nobody can press. */
export function shownAsText(address: string, context: LinkContext): string {
  // A bar would end the cell of a table.
  const oneLine = address.replace(/\s+/g, ' ').replaceAll('|', '%7C')
  return context === 'code' && !/[`\\]/.test(oneLine) ? `\`${oneLine}\`` : defang(oneLine)
}

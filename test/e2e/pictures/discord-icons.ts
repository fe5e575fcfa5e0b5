const svg = (body: string, style = '') =>
  `<svg width="16" height="16" viewBox="0 0 16 16" style="vertical-align:-2px;${style}">${body}</svg>`
const filled = (path: string, color = 'currentColor', style = '') => svg(`<path d="${path}" fill="${color}"/>`, style)
const drawn = (path: string, color = 'currentColor', width = 1.6) =>
  svg(
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`,
  )
const boxed = (color: string, path: string) =>
  svg(
    `<rect width="16" height="16" rx="3" fill="${color}"/><path d="${path}" fill="none" stroke="#fff" stroke-width="2"/>`,
  )

const THUMB = 'M1 7h3v8H1zM5 7l3-6c2 0 2 2 1.5 5H14c1 0 1.5 1 1.2 2l-1.5 5.500c-.3 1-1 1.5-1.7 1.500H5z'
const PIN = 'M10 1l5 5-2 .6-2.6 2.6.2 3.3-1.3 1.200L6 10.3 1.8 14.500l-.9-.9L5 9.3 1.7 6.300l1.2-1.3 3.3.2L8.9 2.600z'

/** Drawn, since a machine without a colour font shows boxes. */
const ICONS: Readonly<Record<string, string>> = {
  '👍': filled(THUMB, '#fcc21b'),
  '👎': filled(THUMB, '#fcc21b', 'transform:rotate(180deg)'),
  '✅': boxed('#3ba55d', 'M3 8l3.5 4L13 4'),
  '⚠️': svg(
    '<path d="M8 1l7.5 14H.5z" fill="#fcc21b"/><path d="M8 6v4.500M8 12.300v.4" stroke="#313338" stroke-width="1.6" stroke-linecap="round"/>',
  ),
  '📄': filled('M3 1h7l3 3v11H3z', '#949ba4'),
  '👁': filled('M8 3C4 3 1 8 1 8s3 5 7 5 7-5 7-5-3-5-7-5zm0 7.500a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5z'),
  '📌': filled(PIN, '#e0484d'),
  '🎙️': svg(
    '<rect x="5.5" y="1" width="5" height="8.5" rx="2.5" fill="#80848e"/><path d="M3 7.500a5 5 0 0 0 10 0M8 12.500V15M5.5 15h5" fill="none" stroke="#80848e" stroke-width="1.4" stroke-linecap="round"/>',
  ),
  '🗑️': drawn('M3 4.5h10M6 4.5V2.5h4v2M4.5 4.5l.6 9h5.8l.6-9M6.8 7v4M9.2 7v4', '#80848e', 1.3),
  '✏️': drawn('M2 14l1-4L11.5 1.500l3 3L6 13z', '#f0a020'),
  '🔊': drawn('M1.5 6h3L8 3v10L4.5 10h-3zM10.5 5.500a3.5 3.5 0 0 1 0 5M12.5 3.500a6.5 6.5 0 0 1 0 9', '#80848e'),
  '👀': svg(
    '<ellipse cx="4.5" cy="8" rx="3.2" ry="5.5" fill="#fff" stroke="#80848e"/><ellipse cx="11.5" cy="8" rx="3.2" ry="5.5" fill="#fff" stroke="#80848e"/><circle cx="5.3" cy="9" r="1.6" fill="#313338"/><circle cx="12.3" cy="9" r="1.6" fill="#313338"/>',
  ),
}
const SIGNS = new RegExp(Object.keys(ICONS).join('|'), 'gu')
/** Signs that nobody has drawn yet would be boxes. */
const OTHER_SIGN = /\p{Extended_Pictographic}/u

/** @throws {Error} naming a sign that has no drawing here */
export function withIcons(html: string): string {
  const shown = html.replaceAll(SIGNS, (sign) => ICONS[sign] ?? sign)
  const missing = OTHER_SIGN.exec(shown.replaceAll(/[©®↔↕↗™]/gu, ''))
  if (missing !== null) throw new Error(`The pictures have no drawing of ${missing[0]}: add one to discord-icons.ts.`)
  return shown
}

/** The bridge of the web page. */
export const BRIDGE =
  '<svg width="26" height="26" viewBox="0 0 24 24" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round"><path d="M2.5 17h19M5 17c0-5.2 3.1-9 7-9s7 3.8 7 9M8.5 17v-6.600M12 17V8M15.5 17v-6.6"/></svg>'

export const lengthOf = (seconds: number): string => `0:${String(seconds).padStart(2, '0')}`

/** A recording as Discord shows it: a wave and its length. */
export function voiceBubble(seconds: number): string {
  const bars = Array.from({ length: 44 }, (_, index) => {
    const height = 3 + Math.abs(Math.sin(index * 1.7) * Math.sin(index / 5)) * 19
    return `<rect x="${index * 5}" y="${(24 - height) / 2}" width="3" height="${height}" rx="1.5"/>`
  })
  return `<div class="voice"><span class="play">${svg('<path d="M5 3l8 5-8 5z" fill="#fff"/>')}</span><svg width="220" height="24" fill="currentColor">${bars.join('')}</svg><span>${lengthOf(seconds)}</span></div>`
}

import { localeOf } from './failure-sentence.ts'

/** `12 Nov`, `12. Nov.`; with the year where it is another than now's. Empty for what is no date. */
export function dayOf(iso: string | undefined, language: string | undefined, now: number): string {
  const date = new Date(iso ?? '')
  if (Number.isNaN(date.getTime())) return ''
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  const locale = localeOf(language) ?? 'en'
  return date.toLocaleDateString(locale === 'en' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}

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

/** `14:05 UTC`; with the day where it is not within the next twelve hours. */
export function clockTime(at: number, language: string | undefined): string {
  const isFar = at - Date.now() > 12 * 3_600_000
  return new Date(at).toLocaleString(localeOf(language), {
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(isFar ? { weekday: 'short', day: 'numeric', month: 'short' } : {}),
  })
}

/** Services write `en_US`, and anybody may write anything: what is no language tag is the system's own. */
export function localeOf(language: string | undefined): string | undefined {
  try {
    return language === undefined ? undefined : Intl.getCanonicalLocales(language.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

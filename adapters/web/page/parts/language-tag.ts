/** A browser can name a POSIX locale, such as `en-US@posix`, which Intl refuses. */
export function toLanguageTag(named: string): string {
  const [tag = ''] = named.replaceAll('_', '-').split(/[.@]/)
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

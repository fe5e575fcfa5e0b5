/** Settings of this browser, in its local storage where that is allowed. */
type Setting = 'name' | 'theme' | 'language' | 'meaningOffer'

/** Undefined: it was never set. */
export function keptSetting(setting: Setting): string | undefined {
  try {
    return localStorage.getItem(`footbridge.${setting}`) || undefined
  } catch {
    return undefined
  }
}

/** Keeps it; an empty value removes it. Without storage it lasts as long as the page. */
export function keepSetting(setting: Setting, value: string): void {
  try {
    localStorage.setItem(`footbridge.${setting}`, value)
  } catch {
    // Storage is switched off.
  }
}

/** Empty: that of the system. */
export function showTheme(theme = keptSetting('theme') ?? ''): void {
  document.documentElement.dataset['theme'] = theme
}

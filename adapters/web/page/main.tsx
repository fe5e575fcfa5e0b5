import { render } from 'preact'
import { App } from './shell/app.tsx'
import { showTheme } from './parts/kept-setting.ts'
import { language } from './texts.ts'

const root = document.getElementById('page')
document.documentElement.lang = language.toLowerCase().startsWith('de') ? 'de' : 'en'
showTheme()
if (root) render(<App />, root)

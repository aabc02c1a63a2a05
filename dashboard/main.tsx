import './face.css'
import './styles.css'
import { LANGUAGE, LOCALE, loadTexts } from './language/language.ts'
import { repairLocale } from './language/repair-locale.ts'

document.documentElement.lang = LANGUAGE
repairLocale(navigator, LOCALE)
// Texts are constants of the files that show them: the rest of the dashboard is read once they are there.
void loadTexts().then(() => import('./start.tsx'))

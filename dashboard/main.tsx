import './face.css'
import './styles.css'
import { LANGUAGE, loadTexts } from './language/language.ts'

document.documentElement.lang = LANGUAGE
// Texts are constants of the files that show them: the rest of the dashboard is read once they are there.
void loadTexts().then(() => import('./start.tsx'))

import { chooseLanguage } from '../language/choose.ts'
import { chosenLanguage, t } from '../language/language.ts'
import { LANGUAGE_OPTIONS, languageOf } from '../language/options.ts'
import { SELECT_LOOK } from './field.tsx'

/** Chooses the language where nobody is signed in, and no menu has it. */
export function LanguageSelect() {
  return (
    <select
      aria-label={t('Language')}
      value={chosenLanguage() ?? 'browser'}
      onChange={({ target }) => chooseLanguage(languageOf(target.value))}
      className={`${SELECT_LOOK} h-9 w-auto! text-sm max-md:h-[44px]`}
    >
      {LANGUAGE_OPTIONS.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

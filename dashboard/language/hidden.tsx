import type { ReactElement, ReactNode } from 'react'
import { t } from './language.ts'

/** The part of a text that only screen readers say: `rich('Remove<hidden> {name}</hidden>', { name, hidden })`. */
export function hidden(words: ReactNode): ReactElement {
  return <span className="sr-only">{words}</span>
}

/** The end of a link that opens a new tab. */
export function NewTab() {
  return <span className="sr-only"> {t('(opens in a new tab)')}</span>
}

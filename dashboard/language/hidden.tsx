import type { ReactElement, ReactNode } from 'react'

/** The part of a text that only screen readers say: `rich('Remove<hidden> {name}</hidden>', { name, hidden })`. */
export function hidden(words: ReactNode): ReactElement {
  return <span className="sr-only">{words}</span>
}

import type { FormEvent } from 'react'

export type Fields<Name extends string> = Record<Name, string>

/** The values of a form that is being sent, by field name. */
export function fieldsOf<Values extends Fields<string>>(event: FormEvent<HTMLFormElement>): Values {
  event.preventDefault()
  return Object.fromEntries(new FormData(event.currentTarget)) as Values
}

import type { FormEvent } from 'react'

/** What stands in the fields of a form that is being sent, by their names. */
export function fieldsOf(event: FormEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault()
  return Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
}

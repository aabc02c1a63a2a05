import { FIELDS } from '../../src/core/language/fields.ts'
import { capitalized } from '../../src/core/text.ts'
import type { FieldErrors } from '../../src/core/validation.ts'
import { interpret, LANGUAGE, t } from './language.ts'

/** Translates a sentence of the API. Parts of it that are not known stay as they are. */
export function sayMessage(message: string): string {
  const [, sentence = message, stop = ''] = /^(.*[^.])(\.?)$/s.exec(message) ?? []
  const said = interpret(message) ?? (stop && interpret(sentence))
  if (!said) return message
  return stop && !said.endsWith('.') ? `${said}.` : said
}

/** The rule that a value breaks, without the field that its message begins with. */
export function sayRule(message: string, field: string): string {
  const rule = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  return interpret(rule) ?? rule
}

/** A fault at its field, which English names once more. */
export function sayFault(message: string, field: string): string {
  return LANGUAGE === 'en' ? message : capitalized(sayRule(message, field))
}

/** A fault of a field that is not in sight. */
export function sayFaultOf(message: string, field: string): string {
  const subject = FIELDS[field]
  if (LANGUAGE === 'en') return message
  return `${subject ? capitalized(t(subject)) : field} ${sayRule(message, field)}`
}

/** Every fault at its field. */
export function sayFaults(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [
      field,
      messages.map((message) => sayFault(message, field)),
    ]),
  )
}

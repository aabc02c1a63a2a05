import { capitalized } from '../text.ts'
import type { FieldErrors } from '../validation.ts'
import { FIELDS } from './fields.ts'
import type { Translator } from './translate.ts'

/** A reader's language, and the interpreter of the API's English. */
export type Speech = Pick<Translator, 't' | 'language'> & { interpret: (sentence: string) => string | null }

export type Sayer = ReturnType<typeof createSayer>

/** Says refusals, which are English where they are thrown, in the language of their reader. */
export function createSayer({ t, language, interpret }: Speech) {
  /** Translates a sentence. Parts of it that are not known stay as they are. */
  function sayMessage(message: string): string {
    const [, sentence = message, stop = ''] = /^(.*[^.])(\.?)$/s.exec(message) ?? []
    const said = interpret(message) ?? ((stop && interpret(sentence)) || sayNamed(sentence))
    if (!said) return message
    return stop && !said.endsWith('.') ? `${said}.` : said
  }

  /** A rule that begins with the name of its field. */
  function sayNamed(sentence: string): string | null {
    const [, field, rule] = /^([a-z][\w.]*) (.+)$/s.exec(sentence) ?? []
    return field && rule && interpret(rule) ? sayFaultOf(sentence, field) : null
  }

  /** The rule that a value breaks, without the field that its message begins with. */
  function sayRule(message: string, field: string): string {
    const rule = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
    return interpret(rule) ?? rule
  }

  /** A fault at its field, which English names once more. */
  function sayFault(message: string, field: string): string {
    return language === 'en' ? message : capitalized(sayRule(message, field))
  }

  /** A fault of a field that is not in sight. */
  function sayFaultOf(message: string, field: string): string {
    const subject = FIELDS[field]
    if (language === 'en') return message
    return `${subject ? capitalized(t(subject)) : field} ${sayRule(message, field)}`
  }

  /** Every fault at its field. */
  function sayFaults(errors: FieldErrors): FieldErrors {
    return Object.fromEntries(
      Object.entries(errors).map(([field, messages]) => [
        field,
        messages.map((message) => sayFault(message, field)),
      ]),
    )
  }

  return { sayMessage, sayRule, sayFault, sayFaultOf, sayFaults }
}

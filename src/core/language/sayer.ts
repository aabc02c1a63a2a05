import { MONITOR_TYPES, type MonitorType } from '../monitors/monitor-types.ts'
import { capitalized } from '../text.ts'
import { countOf, type Faults, type FieldErrors } from '../validation.ts'
import { CHOSEN, FIELDS, fieldAt } from './fields.ts'
import { EMPTY, PLAIN_ENGLISH } from './plain-english.ts'
import { english, type Said, WHOLE } from './said.ts'
import type { Translator } from './translate.ts'

/** A refusal as it is thrown, or as the dashboard got it. */
type Refused = { said: Said | null; faults?: Faults; message: string }

/** The word that a form has for the field at a path; undefined where it has none of its own. */
export type FieldWords = (field: string) => string | undefined

/** The API says what it got; to the person who typed it a form says what it is not. */
const GOT = /^((?:must|can) (?!not )[^;]*), got (\{\w+\})$/

export type Sayer = ReturnType<typeof createSayer>

/** Says refusals to people in their language. English ones differ from the sentences of the API, which name its fields. */
export function createSayer({ t, language }: Pick<Translator, 't' | 'language'>) {
  const isEnglish = language === 'en'

  function say(sentence: Said): string {
    const values = Object.fromEntries(
      Object.entries(sentence.values).map(([name, value]) => [name, sayValue(name, value)]),
    )
    // Sentences of the API may have signs that mean something in a message format.
    return isEnglish
      ? english({ text: PLAIN_ENGLISH[sentence.text] ?? sentence.text.replace(GOT, '$1, not $2'), values })
      : t(sentence.text, values)
  }

  function sayValue(name: string, value: Said['values'][string]): string {
    if (value === null) return isEnglish ? 'nothing' : t('null')
    if (typeof value === 'object') return say(value)
    const word = String(value)
    if (name === 'subject') return nameOf(word)
    // Types of monitors have the names by which forms offer them.
    const isType = (name === 'type' || name === 'types') && Object.hasOwn(MONITOR_TYPES, word)
    // Numbers stand in sentences as the API writes them.
    return isType ? t(MONITOR_TYPES[word as MonitorType].word) : word
  }

  /** The name of a field, as it stands within a sentence; its path where no form has it. */
  function wordFor(path: string): string {
    const field = fieldAt(path)
    return field === undefined ? path : t(FIELDS[field] ?? path)
  }

  function nameOf(path: string): string {
    return fieldAt(path) === undefined ? path : capitalized(wordFor(path))
  }

  /** The request for a value of an empty field; null where its language, or its rule, has a sentence of its own. */
  function askFor({ text }: Said, path: string): string | null {
    const field = fieldAt(path)
    if (!isEnglish || !EMPTY.has(text) || field === undefined || field === 'token') return null
    const word = (FIELDS[field] ?? '').replace(/^the /, '')
    const verb = CHOSEN.has(field) || word === 'selection' ? 'Choose' : 'Enter'
    if (/[^s]s$| of |^expected /.test(word)) return `${verb} the ${word}`
    return `${verb} ${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`
  }

  /** A fault at its field; `wordOf` names the part of the field that it is about. */
  function sayFault(fault: Said, field: string, wordOf: FieldWords = () => undefined): string {
    if (WHOLE in fault.values) return say(fault)
    const part = wordOf(field)
    if (part !== undefined && isEnglish) return `${part} ${say(fault)}`
    return askFor(fault, field) ?? capitalized(say(fault))
  }

  /** A fault of a field that is not in sight. */
  function sayFaultOf(fault: Said, field: string): string {
    if (WHOLE in fault.values) return say(fault)
    return askFor(fault, field) ?? `${nameOf(field)} ${say(fault)}`
  }

  /** Every fault at its field. */
  function sayFaults(faults: Faults, wordOf?: FieldWords): FieldErrors {
    return Object.fromEntries(
      Object.entries(faults).map(([field, broken]) => [
        field,
        broken.map((fault) => sayFault(fault, field, wordOf)),
      ]),
    )
  }

  /** The sentence of a refusal; of one about one field the rule, with the name of the field. */
  function sayRefusal({ said, faults = {}, message }: Refused): string {
    const fields = Object.keys(faults)
    const [field = ''] = fields
    const [fault] = faults[field] ?? []
    if (said) return say(said)
    if (!fault) return t(message)
    return fields.length === 1 ? `${sayFaultOf(fault, field)}.` : `${say(countOf(fields.map(wordFor)))}.`
  }

  return { say, sayFault, sayFaultOf, sayFaults, sayRefusal, wordFor }
}

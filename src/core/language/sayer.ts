import { MONITOR_TYPES, type MonitorType } from '../monitors/monitor-types.ts'
import { capitalized } from '../text.ts'
import { countOf, type Faults, type FieldErrors, print } from '../validation.ts'
import { FIELDS } from './fields.ts'
import { english, type Said, WHOLE } from './said.ts'
import type { Translator } from './translate.ts'

/** A refusal as it is thrown, or as the dashboard got it. */
type Refused = { said: Said | null; faults?: Faults; message: string }

/** The word that a form has for the field at a path; undefined where it has none of its own. */
export type FieldWords = (field: string) => string | undefined

export type Sayer = ReturnType<typeof createSayer>

/** Says refusals in the language of their reader. */
export function createSayer({ t, language }: Pick<Translator, 't' | 'language'>) {
  const isEnglish = language === 'en'

  function say(sentence: Said): string {
    if (isEnglish) return english(sentence)
    const values = Object.entries(sentence.values).map(([name, value]) => [name, sayValue(name, value)])
    return t(sentence.text, Object.fromEntries(values))
  }

  function sayValue(name: string, value: Said['values'][string]): string {
    if (value === null) return t('null')
    if (typeof value === 'object') return say(value)
    const word = String(value)
    if (name === 'subject') return nameOf(word)
    // Types of monitors have the names by which forms offer them.
    const isType = (name === 'type' || name === 'types') && Object.hasOwn(MONITOR_TYPES, word)
    // Numbers stand in sentences as the API writes them.
    return isType ? t(MONITOR_TYPES[word as MonitorType].word) : word
  }

  function nameOf(field: string): string {
    const subject = FIELDS[field]
    return subject ? capitalized(t(subject)) : field
  }

  /** A fault at its field, which English names once more: by its path, or by the word that its form has for it. */
  function sayFault(fault: Said, field: string, wordOf: FieldWords = () => undefined): string {
    if (WHOLE in fault.values) return say(fault)
    return isEnglish ? print(fault, wordOf(field) ?? field) : capitalized(say(fault))
  }

  /** A fault of a field that is not in sight. */
  function sayFaultOf(fault: Said, field: string): string {
    if (WHOLE in fault.values) return say(fault)
    return isEnglish ? print(fault, field) : `${nameOf(field)} ${say(fault)}`
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
    if (!fault) return isEnglish ? message : t(message)
    return fields.length === 1 ? `${sayFaultOf(fault, field)}.` : `${say(countOf(fields))}.`
  }

  return { say, sayFault, sayFaultOf, sayFaults, sayRefusal }
}

import { MONITOR_TYPES, type MonitorType } from '../monitors/monitor-types.ts'
import { FAULTS } from './messages.ts'
import { REFUSALS } from './refusals.ts'
import type { Translator } from './translate.ts'

type Pattern = { text: string; form: RegExp; letters: number }

/** Says what the API said in another language; null for a sentence that is not known. */
export function createInterpreter(t: Translator['t']): (sentence: string) => string | null {
  // The one of two fitting ones is taken that says more.
  const patterns = [...FAULTS, ...REFUSALS].map(patternOf).sort((one, other) => other.letters - one.letters)

  /** Types of monitors have the names by which forms offer them. */
  function nameOf(name: string, value: string): string {
    const isType = (name === 'type' || name === 'types') && Object.hasOwn(MONITOR_TYPES, value)
    return isType ? t(MONITOR_TYPES[value as MonitorType].word) : value
  }

  return function interpret(sentence): string | null {
    for (const { text, form } of patterns) {
      const found = form.exec(sentence)
      // Quoted text is what somebody typed; protocols without double quotes have single ones.
      const said = ([name, value]: [string, string]) => [
        name,
        /^["']/.test(value) ? value : (interpret(value) ?? nameOf(name, value)),
      ]
      if (found) return t(text, Object.fromEntries(Object.entries(found.groups ?? {}).map(said)))
    }
    return null
  }
}

/** RegExp.escape is younger than many a browser. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Placeholders of a text stand for anything. */
function patternOf(text: string): Pattern {
  const pieces = text.split(/\{(\w+)\}/)
  const form = pieces.map((piece, index) => (index % 2 === 0 ? escaped(piece) : `(?<${piece}>[^]+?)`))
  const letters = pieces.filter((_, index) => index % 2 === 0).join('').length
  return { text, form: new RegExp(`^${form.join('')}$`), letters }
}

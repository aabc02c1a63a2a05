import { LineCounter, parseDocument } from 'yaml'
import { type Said, said } from '../core/language/said.ts'
import { WrongFile } from './outcome.ts'
import { AliasFault, plainValue } from './yaml-value.ts'

/** The parser that knows the place of an error takes a hundred times as long. */
const MAX_SEARCHED_LENGTH = 1_000_000

/** Parses JSON. Throws a WrongFile that names the position of an error but quotes nothing: the file holds secrets. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WrongFile(placedFault(error as Error, text))
  }
}

/** Parses YAML. Throws a WrongFile as `readJson` does. */
export function readYaml(text: string): unknown {
  const document = parseDocument(text, { lineCounter: new LineCounter(), merge: true })
  const error = document.errors[0]
  if (error) {
    const fault = error.message.split('\n')[0]?.replace(/:$/, '') ?? ''
    throw new WrongFile(said('it is no valid YAML: {fault}', { fault }))
  }
  try {
    return plainValue(document)
  } catch (error) {
    if (!(error instanceof AliasFault)) throw error
    throw new WrongFile(said('it is no YAML that can be read: {fault}', { fault: error.fault }))
  }
}

function placedFault({ message }: Error, text: string): Said {
  const place = /line (\d+) column (\d+)/.exec(message)
  if (place) return noJsonAt(place[1] ?? '', place[2] ?? '')
  if (/end of JSON/.test(message)) return said('it is no valid JSON: it ends too early')
  if (text.length > MAX_SEARCHED_LENGTH) return NO_JSON
  const [position] = parseDocument(text, { schema: 'json', lineCounter: new LineCounter() }).errors
  const start = position?.linePos?.[0]
  return start ? noJsonAt(start.line, start.col) : NO_JSON
}

const NO_JSON = said('it is no valid JSON')

function noJsonAt(line: string | number, column: string | number): Said {
  return said('it is no valid JSON: line {line}, column {column}', { line, column })
}

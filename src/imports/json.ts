import { LineCounter, parseDocument } from 'yaml'
import { WrongFile } from './outcome.ts'
import { AliasFault, plainValue } from './yaml-value.ts'

/** The parser that knows the place of an error takes a hundred times as long. */
const MAX_SEARCHED_LENGTH = 1_000_000

/** Parses JSON. Throws a WrongFile that names the position of an error but quotes nothing: the file holds secrets. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WrongFile(`it is no valid JSON${placeOf(error as Error, text)}`)
  }
}

/** Parses YAML. Throws a WrongFile as `readJson` does. */
export function readYaml(text: string): unknown {
  const document = parseDocument(text, { lineCounter: new LineCounter(), merge: true })
  const error = document.errors[0]
  if (error) throw new WrongFile(`it is no valid YAML: ${error.message.split('\n')[0]?.replace(/:$/, '')}`)
  try {
    return plainValue(document)
  } catch (error) {
    if (!(error instanceof AliasFault)) throw error
    throw new WrongFile(`it is no YAML that can be read: ${error.message}`)
  }
}

function placeOf({ message }: Error, text: string): string {
  const place = /line (\d+) column (\d+)/.exec(message)
  if (place) return `: line ${place[1]}, column ${place[2]}`
  if (/end of JSON/.test(message)) return ': it ends too early'
  if (text.length > MAX_SEARCHED_LENGTH) return ''
  const [position] = parseDocument(text, { schema: 'json', lineCounter: new LineCounter() }).errors
  const start = position?.linePos?.[0]
  return start ? `: line ${start.line}, column ${start.col}` : ''
}

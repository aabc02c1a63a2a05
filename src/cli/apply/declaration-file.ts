import { type ErrorCode, LineCounter, parseDocument } from 'yaml'
import { shownLine } from '../../core/language/hidden-characters.ts'
import { type Declaration, parseDeclaration } from '../../core/monitors/declaration.ts'
import { MASK } from '../../core/teams/access.ts'
import { print } from '../../core/validation.ts'
import { AliasFault, plainValue } from '../../imports/yaml-value.ts'

const MAX_FILE_LINES = 16 * 1024 * 1024
const MAX_FAULTS_SHOWN = 20
/** Shorter values occur by chance in other text, which would be hidden, too. */
const MIN_HIDDEN_LENGTH = 4
const VARIABLE = /\$\$\{|\$\{([^}]*)\}/g
/** The URL of a webhook is a secret: anyone who knows it can post to it. */
const SECRET_ADDRESS = /^contacts\.\d+\.config\.(webhook_)?url$/
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
/** A diff shows the value of an option as a whole. */
const AN_OPTION = /^monitors\.\d+\.options\.\w+$/
/** A variable that need not be set: what is stored is kept then. */
const SECRET_NAME = /^secret\.([A-Za-z_][A-Za-z0-9_]*)$/

type Fault = { path: string; message: string }

/** A declaration and the means to report faults in its file. */
export type DeclarationFile = {
  declaration: Declaration
  /** Whether a field's value contains the value of a variable. */
  isFromVariable: (path: string) => boolean
  /** Masks the values of variables in a text. */
  hide: (text: string) => string
  /** Creates an error that lists each fault with its line and column. */
  faulty: (faults: Fault[]) => Error
}

/** Reads YAML or JSON. Throws an error that lists each fault with its line and column. */
export function readDeclaration(
  text: string,
  file: string,
  variable: (name: string) => string | undefined,
): DeclarationFile {
  if (text.length > MAX_FILE_LINES)
    throw new Error(`${file}: has more than ${MAX_FILE_LINES / 1024 / 1024} MiB`)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  // Later errors mostly follow from the first.
  const [first] = document.errors
  if (first) throw new Error(`${at(first.pos[0])}: ${SAID_BETTER[first.code] ?? first.message}`)

  /** The position of a path, or of its closest parent in the file. */
  function placeOf(path: string): string {
    const steps = path.split('.')
    for (let length = steps.length; length > 0; length--) {
      const node = document.getIn(steps.slice(0, length), true) as { range?: [number] } | undefined
      if (node?.range) return at(node.range[0])
    }
    return file
  }

  const used = new Map<string, { names: string[]; values: string[] }>()
  const isFromVariable = (path: string) =>
    used.has(path) || (AN_OPTION.test(path) && [...used.keys()].some((each) => each.startsWith(`${path}.`)))
  const hide = (shown: string) => {
    const values = [...new Set([...used.values()].flatMap((each) => each.values))]
    return values
      .filter((value) => value.length >= MIN_HIDDEN_LENGTH)
      .sort((one, other) => other.length - one.length)
      .reduce((rest, value) => rest.replaceAll(value, MASK), shown)
  }
  const tell = ({ path, message }: Fault) => {
    const from = [...used].filter(([each]) => each === path || each.startsWith(`${path}.`))
    const names = from.flatMap(([, { names }]) => names).map((name) => `\${${name}}`)
    const got = names.length > 0 ? `, got the value of ${names.join(', ')}` : ''
    const isTold = names.length === 0 && !SECRET_ADDRESS.test(path)
    const said = isTold ? message : message.replace(/, got .*$/s, got)
    return `${placeOf(path)}: ${printable(hide(said))}`
  }

  const missing: Fault[] = []
  function valueAt(path: string, name: string): string {
    const [, secret] = SECRET_NAME.exec(name) ?? []
    const value = secret ? variable(secret) || MASK : VARIABLE_NAME.test(name) ? variable(name) : undefined
    if (!value) {
      const message = VARIABLE_NAME.test(name)
        ? `the variable ${name} is not set, or is empty`
        : `\${${name}} names no variable; write $\${ for the text itself`
      missing.push({ path, message })
      return ''
    }
    if (value === MASK) return MASK
    const { names, values } = used.get(path) ?? { names: [], values: [] }
    used.set(path, { names: [...names, name], values: [...values, value] })
    return value
  }
  const plain = toPlain(document, file)
  const filled = fillIn(plain, '', valueAt)
  const faulty = (faults: Fault[]) => faultsOf(faults.map(tell))
  if (missing.length > 0) throw faulty(missing)
  const parsed = parseDeclaration(filled)
  if (parsed.ok) return { declaration: parsed.value, isFromVariable, hide, faulty }
  const faults = Object.entries(parsed.faults).flatMap(([path, found]) =>
    found.map((fault) => ({ path, message: print(fault, path === 'body' ? 'the file' : path) })),
  )
  throw faulty(faults)
}

/** Escapes `${`, so that a text is read without variables. */
export function escapeVariables(text: string): string {
  return text.replaceAll('${', '$$${')
}

/** Messages for authors of files, instead of the parser's. */
const SAID_BETTER: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'a file is one document: leave out what stands from this --- on, or put it into the first',
  RESOURCE_EXHAUSTION: 'nested too deeply',
}

function toPlain(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return plainValue(document)
  } catch (error) {
    if (error instanceof AliasFault) throw new Error(`${file}: ${error.message}`)
    throw error
  }
}

/** Text from a file must not control the terminal. */
function printable(text: string): string {
  return shownLine(text.replaceAll(/\p{Cc}/gu, '�'))
}

/** Replaces variables in all values, but not in keys. */
function fillIn(value: unknown, path: string, lookUp: (path: string, name: string) => string): unknown {
  const below = (step: string | number) => (path === '' ? String(step) : `${path}.${step}`)
  if (typeof value === 'string') {
    return value.replaceAll(VARIABLE, (found, name: string | undefined) =>
      name === undefined ? found.slice(1) : lookUp(path, name),
    )
  }
  if (Array.isArray(value)) return value.map((entry, index) => fillIn(entry, below(index), lookUp))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, fillIn(entry, below(key), lookUp)]),
  )
}

function faultsOf(lines: string[]): Error {
  const shown = lines.slice(0, MAX_FAULTS_SHOWN)
  if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more`)
  return new Error(shown.join('\n'))
}

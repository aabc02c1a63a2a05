/** The bound of one measurement, tag or field, in characters, escapes included. */
const MAX_TOKEN_LENGTH = 65_536
/** Senders write some thousands at most; what is shorter than any line of theirs would take long to read. */
export const MAX_LINES = 20_000
/** Tags, and fields, of one line. */
const MAX_PAIRS = 1_024

/** A line of the InfluxDB line protocol. Numbers and booleans are `fields`, strings are `strings`. `time`: in its own unit. */
export type Line = {
  measurement: string
  tags: Record<string, string>
  fields: Map<string, number>
  strings: Record<string, string>
  time: number | null
}

/** Lines and why the first unreadable one is: the protocol's servers keep the lines that they can read, too. */
export type Lines = { lines: Line[]; unreadable: number; why: string | null }

/** Reads text of the line protocol, versions 1 and 2. https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/ */
export function readLines(text: string): Lines {
  const read: Lines = { lines: [], unreadable: 0, why: null }
  const place = { text, at: 0, line: 1 }
  while (place.at < text.length) {
    skipBlank(place)
    if (place.at >= text.length) break
    if (text[place.at] === '#') {
      skipLine(place)
      continue
    }
    const number = place.line
    if (read.lines.length + read.unreadable >= MAX_LINES) {
      read.unreadable += 1
      read.why ??= `line ${number}: it is one of more than ${MAX_LINES} lines`
      break
    }
    const line = readLine(place)
    if (typeof line !== 'string') read.lines.push(line)
    else {
      read.unreadable += 1
      read.why ??= `line ${number}: ${line}`
      skipLine(place)
    }
  }
  return read
}

type Place = { text: string; at: number; line: number }

/** The line, or what is wrong with it. Leaves the place behind what was read. */
function readLine(place: Place): Line | string {
  const measurement = readToken(place, ', ')
  if (measurement === '') return 'it has no measurement'
  const line: Line = { measurement, tags: blank(), fields: new Map(), strings: blank(), time: null }
  let pairs = 0
  while (here(place) === ',') {
    place.at += 1
    const key = readToken(place, '=, ')
    if (key === '' || here(place) !== '=') return 'a tag has no value'
    place.at += 1
    const value = readToken(place, ', ')
    if (value === '') return 'a tag has no value'
    if (++pairs > MAX_PAIRS) return `it has more than ${MAX_PAIRS} tags`
    line.tags[key] = value
  }
  skipSpaces(place)
  const fault = readFields(place, line)
  if (fault !== null) return fault
  skipSpaces(place)
  const time = /-?\d{1,19}/y
  time.lastIndex = place.at
  const found = time.exec(place.text)
  if (found !== null) {
    line.time = Number(found[0])
    place.at = time.lastIndex
  }
  skipSpaces(place)
  return isEnd(place) ? line : 'its time is no whole number'
}

function readFields(place: Place, line: Line): string | null {
  for (let pairs = 0; ; pairs++) {
    if (pairs >= MAX_PAIRS) return `it has more than ${MAX_PAIRS} fields`
    const key = readToken(place, '=, ')
    if (key === '' || here(place) !== '=') return 'it has no field, or one without a value'
    place.at += 1
    const fault = here(place) === '"' ? readString(place, key, line) : readNumber(place, key, line)
    if (fault !== null) return fault
    if (here(place) !== ',') return null
    place.at += 1
  }
}

/** A string may go on over lines. */
function readString(place: Place, key: string, line: Line): string | null {
  const { text } = place
  let value = ''
  let from = place.at + 1
  for (let index = from; index < text.length; index++) {
    const character = text[index]
    if (character === '\n') place.line += 1
    if (character === '\\' && (text[index + 1] === '"' || text[index + 1] === '\\')) {
      value += text.slice(from, index)
      from = index + 1
      index += 1
    } else if (character === '"') {
      line.strings[key] = value + text.slice(from, index)
      place.at = index + 1
      return null
    }
  }
  place.at = text.length
  return 'a string does not end'
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const WHOLE = /^([-+]?\d+)[iu]$/
const BOOLEANS: Record<string, number> = { t: 1, true: 1, f: 0, false: 0 }

function readNumber(place: Place, key: string, line: Line): string | null {
  const value = readToken(place, ', ')
  const whole = WHOLE.exec(value)?.[1]
  if (whole !== undefined) line.fields.set(key, Number(whole))
  else if (NUMBER.test(value)) line.fields.set(key, Number(value))
  else {
    const told = BOOLEANS[value.toLowerCase()]
    if (told === undefined) return 'a value is no number, boolean or string'
    line.fields.set(key, told)
  }
  return null
}

/** Up to one of the ends or the end of the line; a backslash takes the next one of those, and itself, as it is. */
function readToken(place: Place, ends: string): string {
  const { text } = place
  let value = ''
  let from = place.at
  let index = place.at
  const bound = Math.min(text.length, place.at + MAX_TOKEN_LENGTH)
  while (index < bound) {
    const character = text[index] as string
    if (character === '\\' && /[,= \\]/.test(text[index + 1] ?? '')) {
      value += text.slice(from, index)
      from = index + 1
      index += 2
    } else if (character === '\n' || character === '\r' || ends.includes(character)) break
    else index += 1
  }
  place.at = Math.min(index, text.length)
  return value + text.slice(from, place.at)
}

function here({ text, at }: Place): string | undefined {
  return text[at]
}

function isEnd(place: Place): boolean {
  const character = here(place)
  return character === undefined || character === '\n' || character === '\r'
}

function skipSpaces(place: Place): void {
  while (here(place) === ' ') place.at += 1
}

function skipBlank(place: Place): void {
  for (;;) {
    const character = here(place)
    if (character === '\n') place.line += 1
    else if (character !== ' ' && character !== '\r' && character !== '\t') return
    place.at += 1
  }
}

function skipLine(place: Place): void {
  const end = place.text.indexOf('\n', place.at)
  place.at = end < 0 ? place.text.length : end
}

/** Keys come from outside: none of them is a property of all objects. */
function blank(): Record<string, string> {
  return Object.create(null) as Record<string, string>
}

import { ByteReader, ByteWriter } from '../bytes.ts'
import { CheckStatus, type Phases } from '../monitors/check.ts'
import { PHASE_NAMES } from '../monitors/phases.ts'

/** A check as it is stored. Times are exact to the millisecond. */
export type CheckRecord = {
  checkedAt: Date
  status: CheckStatus
  responseTimeMs: number | null
  httpStatusCode: number | null
  region: string | null
  errorMessage: string | null
  phases: Phases | null
}

const FORMAT = 1

/**
 * Encodes checks of one monitor into bytes that compress well: column by column, with times as differences
 * from the median step, response times as differences from the sum of their phases, and repeated texts stored
 * once. The order is kept.
 */
export function encodeChecks(checks: readonly CheckRecord[]): Uint8Array {
  const writer = new ByteWriter(checks.length * 12 + 64)
  writer.byte(FORMAT)
  writer.unsigned(checks.length)
  writeTimes(
    writer,
    checks.map(({ checkedAt }) => checkedAt.getTime()),
  )
  writeTexts(
    writer,
    checks.map(({ status }) => status),
  )
  writeNumbers(writer, checks, (check) => check.httpStatusCode)
  writeTexts(
    writer,
    checks.map(({ region }) => region),
  )
  writeTexts(
    writer,
    checks.map(({ errorMessage }) => errorMessage),
  )
  writeNumbers(writer, checks, ({ phases }) => (phases ? 1 : null))
  const measured = checks.filter(({ phases }) => phases)
  for (const name of PHASE_NAMES) writeNumbers(writer, measured, ({ phases }) => (phases as Phases)[name])
  writeNumbers(writer, checks, ({ responseTimeMs, phases }) =>
    responseTimeMs === null ? null : responseTimeMs - phasesTogether(phases),
  )
  return writer.finish()
}

/** Returns the checks in the order in which they were encoded. Throws on bytes in another format. */
export function decodeChecks(bytes: Uint8Array): CheckRecord[] {
  const reader = new ByteReader(bytes)
  if (reader.byte() !== FORMAT) throw new Error('a chunk of checks in an unknown format')
  const count = reader.unsigned()
  const times = readTimes(reader, count)
  const statuses = readTexts(reader, count)
  for (const status of new Set(statuses)) CheckStatus.parse(status)
  const codes = readNumbers(reader, count)
  const regions = readTexts(reader, count)
  const messages = readTexts(reader, count)
  const phases = readPhases(reader, count)
  const rests = readNumbers(reader, count)
  return times.map((time, index) => {
    const rest = rests[index] as number | null
    const own = phases[index] as Phases | null
    return {
      checkedAt: new Date(time),
      status: statuses[index] as CheckStatus,
      responseTimeMs: rest === null ? null : rest + phasesTogether(own),
      httpStatusCode: codes[index] as number | null,
      region: regions[index] as string | null,
      errorMessage: messages[index] as string | null,
      phases: own,
    }
  })
}

function phasesTogether(phases: Phases | null): number {
  if (!phases) return 0
  return PHASE_NAMES.reduce((sum, name) => sum + (phases[name] ?? 0), 0)
}

function writeTimes(writer: ByteWriter, times: number[]): void {
  const steps = times.map((time, index) => time - (index === 0 ? 0 : (times[index - 1] as number)))
  const usual =
    steps.length > 1 ? (steps.slice(1).sort((a, b) => a - b)[(steps.length - 1) >> 1] as number) : 0
  writer.signed(usual)
  for (const [index, step] of steps.entries()) writer.signed(index === 0 ? step : step - usual)
}

function readTimes(reader: ByteReader, count: number): number[] {
  const usual = reader.signed()
  const times: number[] = []
  for (let time = 0; times.length < count; ) {
    time += reader.signed() + (times.length === 0 ? 0 : usual)
    times.push(time)
  }
  return times
}

/** Stores each distinct text once, then its number for every check, with 0 for null. */
function writeTexts(writer: ByteWriter, texts: (string | null)[]): void {
  const numbers = new Map<string | null, number>([[null, 0]])
  for (const text of texts) if (!numbers.has(text)) numbers.set(text, numbers.size)
  writer.unsigned(numbers.size - 1)
  for (const text of numbers.keys()) if (text !== null) writer.text(text)
  for (const text of texts) writer.unsigned(numbers.get(text) as number)
}

function readTexts(reader: ByteReader, count: number): (string | null)[] {
  const texts: (string | null)[] = [null]
  for (let left = reader.unsigned(); left > 0; left--) texts.push(reader.text())
  return Array.from({ length: count }, () => texts[reader.unsigned()] as string | null)
}

function writeNumbers<T>(writer: ByteWriter, rows: readonly T[], read: (row: T) => number | null): void {
  for (const row of rows) writer.signedOrNull(read(row))
}

function readNumbers(reader: ByteReader, count: number): (number | null)[] {
  return Array.from({ length: count }, () => reader.signedOrNull())
}

function readPhases(reader: ByteReader, count: number): (Phases | null)[] {
  const measured = readNumbers(reader, count)
  const all: (Phases | null)[] = measured.map((has) => (has === null ? null : ({} as Phases)))
  for (const name of PHASE_NAMES) {
    for (const phases of all) if (phases) phases[name] = reader.signedOrNull()
  }
  return all
}

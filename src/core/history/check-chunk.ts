import { ByteReader, ByteWriter } from '../bytes.ts'
import { CheckStatus, type Phases } from '../monitors/check.ts'
import { PHASE_NAMES } from '../monitors/phases.ts'
import { STEP_STATUSES, type StepTiming } from '../monitors/steps/step-timing.ts'

/** A check as it is stored. Times are exact to the millisecond. */
export type CheckRecord = {
  checkedAt: Date
  status: CheckStatus
  responseTimeMs: number | null
  httpStatusCode: number | null
  region: string | null
  errorMessage: string | null
  phases: Phases | null
  /** Only of a check of several requests. */
  steps?: StepTiming[]
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
  // Behind everything, where a release that knows no steps does not read on.
  if (checks.some(({ steps }) => steps)) writeSteps(writer, checks)
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
  const steps = reader.done ? [] : readSteps(reader, count)
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
      ...(steps[index] && { steps: steps[index] }),
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

/** Steps of all checks, column by column: most checks have the same names, and times that resemble each other. */
function writeSteps(writer: ByteWriter, checks: readonly CheckRecord[]): void {
  writeNumbers(writer, checks, ({ steps }) => steps?.length ?? null)
  const all = checks.flatMap(({ steps = [] }) => steps)
  writeTexts(
    writer,
    all.map(({ name }) => name),
  )
  for (const { status } of all) writer.unsigned(STEP_STATUSES.indexOf(status))
  for (const member of STEP_NUMBERS) writeNumbers(writer, all, (step) => step[member])
}

const STEP_NUMBERS = ['start_ms', 'duration_ms', 'http_status_code'] as const

function readSteps(reader: ByteReader, count: number): (StepTiming[] | null)[] {
  const counts = readNumbers(reader, count)
  const total = counts.reduce<number>((sum, own) => sum + (own ?? 0), 0)
  const names = readTexts(reader, total)
  const statuses = Array.from({ length: total }, () => STEP_STATUSES[reader.unsigned()] ?? 'skipped')
  const [starts, durations, codes] = STEP_NUMBERS.map(() => readNumbers(reader, total))
  let at = 0
  return counts.map((own) => {
    if (own === null) return null
    const from = at
    at += own
    return Array.from({ length: own }, (_, index) => ({
      name: names[from + index] ?? '',
      status: statuses[from + index] ?? 'skipped',
      start_ms: starts?.[from + index] ?? null,
      duration_ms: durations?.[from + index] ?? null,
      http_status_code: codes?.[from + index] ?? null,
    }))
  })
}

import { DAY_MS, nextWhole, startOfDay } from '../../core/history/history-span.ts'
import { addTimes, type KnownTimes, noTime, stateTimes, type TimeSpan } from '../../core/history/uptime.ts'
import type { SubjectKind } from '../../core/maintenance/window.ts'
import type { Database } from '../../postgres/database.ts'
import { readProgress } from '../history/history-progress.ts'
import { STORED_KINDS } from '../stored-kinds.ts'

/** The known time of each subject in each of the spans, in their order. */
export type TimesOfSpans = Map<number, KnownTimes[]>

type Row = KnownTimes & { n: number; id: number }

/**
 * The time of subjects of one kind in spans of full hours, in order and without overlaps. Rolled-up hours are read as they were
 * closed; the rest up to `now` is worked out.
 */
export async function readTimesOfSpans(
  db: Database,
  kind: SubjectKind,
  ids: number[],
  spans: readonly TimeSpan[],
  now: Date,
): Promise<TimesOfSpans> {
  const sums: TimesOfSpans = new Map(ids.map((id) => [id, spans.map(() => noTime())]))
  if (ids.length === 0 || spans.length === 0) return sums
  const progress = await readProgress(db.pool)
  const until = progress?.[STORED_KINDS[kind].rolledUpUntil] ?? new Date(0)
  const [rows, worked] = await Promise.all([
    readRolledUpTimes(db, kind, ids, spans, until),
    workOut(db, kind, ids, spans, until, now),
  ])
  for (const { n, id, ...times } of [...rows, ...worked]) {
    const sum = sums.get(id)?.[n - 1]
    if (sum) addTimes(sum, times)
  }
  return sums
}

async function readRolledUpTimes(
  { pool }: Database,
  kind: SubjectKind,
  ids: number[],
  spans: readonly TimeSpan[],
  until: Date,
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({
    name: `read-report-times-of-${kind}s`,
    text: STORED_KINDS[kind].rolledUpTimes,
    values: [ids, ...bounds(spans), until],
  })
  return rows
}

/** When spans begin and end, and the whole days of UTC in them. */
function bounds(spans: readonly TimeSpan[]): Date[][] {
  const from = spans.map(({ fromMs }) => new Date(fromMs))
  const to = spans.map(({ toMs }) => new Date(toMs))
  return [from, to, from.map((at) => nextWhole(at, DAY_MS)), to.map((at) => startOfDay(at))]
}

/** The parts of spans that no roll-up says. */
async function workOut(
  db: Database,
  kind: SubjectKind,
  ids: number[],
  spans: readonly TimeSpan[],
  until: Date,
  now: Date,
): Promise<Row[]> {
  const parts = spans.flatMap((span, index) =>
    partsLeft(kind, span, until.getTime(), now.getTime()).map((part) => ({ ...part, n: index + 1 })),
  )
  const first = parts[0]
  if (!first) return []
  const range = { from: new Date(first.fromMs), to: new Date(Math.max(...parts.map(({ toMs }) => toMs))) }
  const watched = await STORED_KINDS[kind].readWatched(db, ids, range)
  return [...watched].flatMap(([id, one]) =>
    parts.map(({ n, ...part }) => {
      const { unknownMs, ...times } = stateTimes(one, part)
      return { n, id, ...times }
    }),
  )
}

/** The parts of a span that are after the roll-ups; where roll-ups have whole days alone, also the parts of days at its ends. */
function partsLeft(
  kind: SubjectKind,
  { fromMs, toMs }: TimeSpan,
  untilMs: number,
  nowMs: number,
): TimeSpan[] {
  const endMs = Math.min(toMs, nowMs)
  const tail = { fromMs: Math.max(fromMs, untilMs), toMs: endMs }
  const parts = STORED_KINDS[kind].hasDaysOnly
    ? withoutDays({ fromMs, toMs: endMs }, Math.min(startOfDay(new Date(toMs)).getTime(), untilMs))
    : [tail]
  return parts.filter((part) => part.fromMs < part.toMs)
}

/** Leaves out the whole days of UTC before a time. */
function withoutDays({ fromMs, toMs }: TimeSpan, daysUntilMs: number): TimeSpan[] {
  const wholeMs = nextWhole(new Date(fromMs), DAY_MS).getTime()
  if (wholeMs >= daysUntilMs) return [{ fromMs, toMs }]
  return [
    { fromMs, toMs: Math.min(wholeMs, toMs) },
    { fromMs: daysUntilMs, toMs },
  ]
}

import {
  type Cutoffs,
  commonCutoffs,
  cutoffsOf,
  DAY_MS,
  forgottenCutoff,
  logCutoff,
} from '../../core/history/history-span.ts'
import { SUBJECT_KINDS, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { PlanName, Plans } from '../../core/teams/plan.ts'
import type { Database } from '../../postgres/database.ts'
import { dropPartitionsBefore } from '../../store/history/partitions.ts'
import { type RetainedTable, removeSomeBefore, subjectsOnPlan } from '../../store/history/retention.ts'
import { deletedSubjects, removeSomeDeleted } from '../../store/history/subjects.ts'
import { removeSomeOccurrences, removeSomeWindows } from '../../store/maintenance/past-occurrences.ts'
import { STORED_KINDS } from '../../store/stored-kinds.ts'
import { plansInUse } from '../../store/teams/teams.ts'
import { retainCrawls } from './retain-crawls.ts'

const SUBJECTS_PER_STEP = 200
/** A window that was deleted stays for a while, so that what is over of it is kept first. */
const MAX_CHANGED_MS = 7 * DAY_MS

/**
 * Removes history that no plan shows any more: whole partitions past every plan in use, and, for teams on smaller
 * plans, their chunks, failing answers, roll-ups and pauses; the history of deleted servers and sites; crawls that are
 * over; and deleted maintenance windows that nothing is left of. Pauses after every short step.
 */
export async function* retain({
  db,
  plans,
  now,
  note,
}: {
  db: Database
  plans: Plans
  now: () => Date
  note: (message: string) => void
}): AsyncGenerator<void> {
  const at = now()
  const inUse = await plansInUse(db.query)
  const all = commonCutoffs(plans, inUse, at)
  if (!all) return
  for await (const dropped of dropPast(db, all)) {
    if (dropped.length > 0) note(`history past every plan's window removed: ${dropped.join(', ')}`)
    yield
  }
  if (all.rollUps) while (await removeSomeOccurrences(db, all.rollUps)) yield
  while (await removeSomeWindows(db, new Date(at.getTime() - MAX_CHANGED_MS))) yield
  yield
  yield* retainCrawls(db, at)
  yield* forgetDeleted(db, at)
  for (const plan of inUse) yield* removePast(db, plan, cutoffsOf(plans[plan], at))
}

async function* dropPast(
  db: Database,
  { checks, rollUps, servers, pings }: Cutoffs,
): AsyncGenerator<string[]> {
  yield dropPartitionsBefore(db.query, pings, ['pings'])
  const ofMinutes = ['checks', 'check_chunks', 'server_samples', 'server_chunks'] as const
  if (checks) yield dropPartitionsBefore(db.query, checks, ofMinutes)
  if (rollUps) yield dropPartitionsBefore(db.query, rollUps, ['check_hours'])
  if (servers) yield dropPartitionsBefore(db.query, servers, ['server_hours'])
}

async function* removePast(db: Database, plan: PlanName, cutoffs: Cutoffs): AsyncGenerator<void> {
  for (const kind of SUBJECT_KINDS) {
    const ofKind = Object.entries(STORED_KINDS[kind].retained) as [RetainedTable, keyof Cutoffs][]
    const past = ofKind.flatMap(([table, name]) => {
      const cutoff = cutoffs[name]
      return cutoff ? [[table, cutoff] as const] : []
    })
    yield* removeBefore(db, kind, (page) => subjectsOnPlan(db, kind, plan, page), past)
  }
}

/**
 * Figures and findings of servers and sites go once nobody can take the deletion back, their incidents with the log of the
 * alerts about them.
 */
async function* forgetDeleted(db: Database, at: Date): AsyncGenerator<void> {
  const cutoff = forgottenCutoff(at)
  for (const kind of SUBJECT_KINDS) {
    const all = STORED_KINDS[kind].forgotten.map((table) => [table, at] as const)
    yield* removeBefore(db, kind, (page) => deletedSubjects(db, kind, cutoff, page), all)
  }
  for (const subjects of ['servers', 'sites'] as const) {
    while (await removeSomeDeleted(db, subjects, logCutoff(at))) yield
    yield
  }
}

/** Removes rows of some tables from before a time each, of all subjects of a kind that `next` names some of. */
async function* removeBefore(
  db: Database,
  kind: SubjectKind,
  next: (page: { after: number; limit: number }) => Promise<number[]>,
  cutoffs: readonly (readonly [RetainedTable, Date])[],
): AsyncGenerator<void> {
  if (cutoffs.length === 0) return
  for (let after = 0; ; ) {
    const ids = await next({ after, limit: SUBJECTS_PER_STEP })
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
    for (const [table, cutoff] of cutoffs) {
      while (await removeSomeBefore(db, table, { kind, ids }, cutoff)) yield
      yield
    }
  }
}

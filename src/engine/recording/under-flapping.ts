import type { Hold } from '../../core/monitors/options/dependencies.ts'
import type { Connection } from '../../postgres/database.ts'
import type { StateRow } from '../../store/monitors/recording.ts'
import { readDamping } from '../alerting/damp.ts'
import { type DampedChange, type JudgedFinding, judge, startOf } from './judge.ts'
import type { JudgedUnderParents } from './under-parents.ts'

export type JudgedUnderHolds = JudgedUnderParents & { change: DampedChange | null }

/**
 * The alert of a monitor that flaps waits as that of one does whose parent is down, and parents come first: what they hold is no
 * change of its own. Read only where an incident begins or ends, or is told late.
 */
export async function judgeUnderFlapping(
  client: Connection,
  before: StateRow,
  finding: JudgedFinding,
  judged: JudgedUnderParents,
): Promise<JudgedUnderHolds> {
  const { judgement, subject, hold } = judged
  const { verdict, heldSince } = judgement
  const nothing = { ...judged, change: null }
  if (!subject?.flapRule || hold) return nothing
  const event = verdict.events.find((one) => one === 'monitor.down' || one === 'monitor.recovery') ?? null
  const isNew = verdict.incident !== null
  if (event === null && !(isNew && heldSince !== null)) return nothing
  const isDown = event === 'monitor.down'
  const at = isDown && isNew ? startOf(finding) : finding.checkedAt
  const key = { subject: { kind: 'monitor', id: finding.monitorId }, about: null } as const
  const damped = await readDamping(client, subject.flapRule, { ...key, at, isNew }, false)
  if (!damped || damped.damping === 'tell' || (damped.damping === 'begin' && event === null)) return nothing
  const change = { damped, event, at, isNew }
  if (isDown) return { judgement: judge(before, finding, true), subject, hold: FLAPPING, change }
  const events = verdict.events.filter((one) => one !== event)
  return { ...judged, judgement: { ...judgement, verdict: { ...verdict, events } }, change }
}

const FLAPPING: Hold = { by: null, awaits: [], isFlapping: true }

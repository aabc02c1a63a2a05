import { said } from '../../language/said.ts'
import type { Faults, FieldError } from '../../validation.ts'
import { type Impact, isOver, type NewPost, type PostKind, type PostPhase, phasesOf } from '../post.ts'

/** A clock of a person may be wrong by so much before its time counts as one to come. */
const CLOCK_MARGIN_MS = 60_000

/** Times of planned maintenance, which other posts do not have. */
type Schedule = Pick<NewPost, 'scheduled_for' | 'scheduled_until'>

/** Fields of a new post that do not fit each other. */
export function newPostFaults({ kind, update, ...schedule }: Partial<NewPost>): FieldError[] {
  if (kind === undefined) return []
  return [
    ...(update ? phaseFaults(kind, update.phase, 'update.phase') : []),
    ...(schedule.scheduled_for === undefined || schedule.scheduled_until === undefined
      ? []
      : scheduleFaults(kind, schedule as Schedule)),
  ]
}

export function phaseFaults(kind: PostKind, phase: PostPhase | undefined, field = 'phase'): FieldError[] {
  const phases = phasesOf(kind)
  if (phase === undefined || phases.includes(phase)) return []
  const filled = { values: phases.join(', '), got: phase }
  const message =
    kind === 'incident'
      ? said('must be one of {values} for an incident, got {got}', filled)
      : said('must be one of {values} for maintenance, got {got}', filled)
  return [{ field, message }]
}

export function scheduleFaults(kind: PostKind, { scheduled_for, scheduled_until }: Schedule): FieldError[] {
  if (kind === 'incident') {
    const field = scheduled_for ? 'scheduled_for' : 'scheduled_until'
    const isSet = scheduled_for !== null || scheduled_until !== null
    return isSet
      ? [{ field, message: said('must be null for an incident: only maintenance is planned') }]
      : []
  }
  if (scheduled_for === null) {
    return [{ field: 'scheduled_for', message: said('must say when the maintenance begins') }]
  }
  if (scheduled_until !== null && scheduled_until > scheduled_for) return []
  return [{ field: 'scheduled_until', message: said('must be after scheduled_for') }]
}

/** The service takes updates without words, as windows without a note make them; a person who writes one forgot them. */
export function textFaults(body: string | undefined, field: string): FieldError[] {
  return body?.trim() === '' ? [{ field, message: said('must not be empty') }] : []
}

/** The time of an update: now unless one is given, which may not be to come. */
export function updateTime(at: Date | null, now: Date): Date | FieldError {
  if (at === null) return now
  if (at.getTime() > now.getTime() + CLOCK_MARGIN_MS) {
    return { field: 'at', message: said('must not be to come, got {got}', { got: at.toISOString() }) }
  }
  return at < now ? at : now
}

/** Impacts of components that the page does not have, or named twice; `path` stands before the fields. */
export function impactFaults(impacts: readonly Impact[], componentIds: readonly number[], path = ''): Faults {
  const known = new Set(componentIds)
  const seen = new Set<number>()
  const faults: Faults = {}
  for (const [index, { component_id: id }] of impacts.entries()) {
    const field = `${path}impacts.${index}.component_id`
    if (!known.has(id))
      faults[field] = [said('must be the ID of a component of this page, got {got}', { got: id })]
    else if (seen.has(id)) faults[field] = [said('must stand once, got {got} again', { got: id })]
    seen.add(id)
  }
  return faults
}

/** The state of a post by its updates, in the order of their times. */
export function postState(
  { kind, scheduledFor }: { kind: PostKind; scheduledFor: Date | null },
  updates: readonly { phase: PostPhase; at: Date }[],
): { phase: PostPhase; startedAt: Date; resolvedAt: Date | null } {
  const [first, last] = [updates[0], updates.at(-1)]
  if (!first || !last) throw new RangeError('a post has at least one update')
  // A postmortem does not resolve once more what was resolved.
  const lastActive = updates.findLastIndex(({ phase }) => !isOver(phase))
  return {
    phase: last.phase,
    startedAt: (kind === 'maintenance' ? scheduledFor : null) ?? first.at,
    resolvedAt: updates[lastActive + 1]?.at ?? null,
  }
}

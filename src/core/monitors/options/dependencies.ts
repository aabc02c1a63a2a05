import type { CheckStatus } from '../check.ts'

/** A monitor whose check may be waited for. */
export type Awaited = {
  id: number
  /** Whether it can be checked when it is asked for: a job calls when it likes. */
  isProbed: boolean
  intervalSeconds: number
  lastCheckedAt: Date | null
  /** A check failed, and further attempts are to be made before that counts. */
  isTrying: boolean
}

/** The parents of a monitor, and theirs, that count: paused and deleted ones are no part of it. */
export type Ancestor = Awaited & {
  name: string
  status: CheckStatus
  /** The first check after its last failure. */
  failingUntil: Date | null
  /** The active members of a group, at any depth, whose checks decide about it; none of other monitors. */
  members: readonly Awaited[]
}

/** Why the alerts of a monitor wait: one that is down, by its ID, or those whose check is waited for; or it flaps. */
export type Hold = { by: number | null; awaits: number[]; isFlapping?: boolean }

/** How many of its intervals the check of a monitor is waited for. */
const PATIENT_INTERVALS = 2

/** The statuses in which a monitor holds the alerts of those that depend on it. */
export function holdsOthers(status: CheckStatus): boolean {
  return status === 'down' || status === 'maintenance'
}

/**
 * Whether the alerts of a monitor wait that failed at `failedAt` and still does by the check at `checkedAt`; null if they do not.
 * They wait while a monitor that it depends on is down, for the check of one that was not checked since the failure (of a group: of its
 * members), at most for two of its intervals, and after a recovery for a check of its own.
 */
export function holdOf(
  ancestors: readonly Ancestor[],
  { failedAt, checkedAt }: { failedAt: Date; checkedAt: Date },
): Hold | null {
  const down = ancestors.find(({ status }) => holdsOthers(status))
  if (down) return { by: down.id, awaits: [] }
  const awaits = checkedFor(ancestors)
    .filter((one) => isAwaited(one, failedAt, checkedAt))
    .map(({ id }) => id)
  if (awaits.length > 0) return { by: null, awaits }
  const recovered = ancestors.find(({ failingUntil }) => failingUntil !== null && checkedAt <= failingUntil)
  return recovered ? { by: recovered.id, awaits: [] } : null
}

/** The monitors whose checks say how some others are: they themselves, and of a group its members. */
export function checkedFor<Member extends Awaited>(
  ancestors: readonly (Member & { readonly members: readonly Member[] })[],
): Member[] {
  const each = ancestors.flatMap((one): Member[] => [one, ...one.members])
  return [...new Map(each.map((one) => [one.id, one])).values()]
}

function isAwaited(
  { isProbed, intervalSeconds, lastCheckedAt, isTrying }: Awaited,
  failedAt: Date,
  checkedAt: Date,
): boolean {
  const until = failedAt.getTime() + PATIENT_INTERVALS * intervalSeconds * 1_000
  if (!isProbed || checkedAt.getTime() >= until) return false
  return isTrying || lastCheckedAt === null || lastCheckedAt <= failedAt
}

/**
 * When a held monitor that cannot be asked for a check is told of, if it is still down: it has two intervals of those that it
 * depends on to call after their recovery. Null: they are down, or being checked.
 */
export function toldAtLatest(
  ancestors: readonly Ancestor[],
  held: { failedAt: Date; checkedAt: Date },
): Date | null {
  if (holdOf(ancestors, held)) return null
  const times = ancestors.flatMap(({ failingUntil, intervalSeconds }) =>
    failingUntil !== null && failingUntil > held.failedAt
      ? failingUntil.getTime() + PATIENT_INTERVALS * intervalSeconds * 1_000
      : [],
  )
  return new Date(Math.max(held.failedAt.getTime(), ...times))
}

/** Links from a monitor to those that it depends on. */
export type Links = ReadonlyMap<number, readonly number[]>

/** The way from a monitor back to itself, through the parents that it is to have; null where there is none. */
export function cycleOf(id: number, parents: readonly number[], links: Links): number[] | null {
  const cameFrom = new Map<number, number>()
  const open: number[] = []
  for (const parent of parents) {
    if (cameFrom.has(parent)) continue
    cameFrom.set(parent, id)
    open.push(parent)
  }
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (at === id) return wayTo(id, cameFrom)
    for (const next of links.get(at) ?? []) {
      if (cameFrom.has(next)) continue
      cameFrom.set(next, at)
      open.push(next)
    }
  }
  return null
}

function wayTo(id: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const way = [id]
  for (let at = cameFrom.get(id); at !== undefined && at !== id; at = cameFrom.get(at)) way.unshift(at)
  return [id, ...way]
}

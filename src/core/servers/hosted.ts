import * as z from 'zod'
import { formatInstant, Instant } from '../instant.ts'

/** More are not kept; the list then counts as a part. */
export const MAX_CONTAINERS = 100
export const MAX_UNITS = 200
/** A list that is not told any more is shown for as long. */
const KEPT_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Restarts of one container that are this close together are one entry: an hour has seven at most. */
const TOGETHER_MS = 600_000
/** A count that rose over a longer time says nothing of the hour. */
const MAX_GAP_MS = 900_000

const text = z.string()

/** A container of Docker or Podman, in their words. `restarts`: since it was started by hand. */
export const Container = z.object({
  name: text,
  image: text.nullable(),
  /** `running`, `exited`, `restarting`, `paused`, … */
  state: text,
  /** `healthy`, `unhealthy` or `starting`; null without a health check. */
  health: text.nullable(),
  restarts: z.int().nullable(),
  /** With which it ended last. */
  exit_code: z.int().nullable(),
  /** How often it was started again, by the time of the first report that told so, of the last hour. Absent for not at all. */
  rises: z.array(z.object({ at: Instant, by: z.int() })).optional(),
})
export type Container = z.infer<typeof Container>

/** A unit of systemd, in its words: `active (running)`. */
export const SystemdUnit = z.object({ name: text, active: text, sub: text })
export type SystemdUnit = z.infer<typeof SystemdUnit>

const listOf = <Each extends z.ZodType>(each: Each) =>
  z.object({
    /** How much of the list the newest report told; with `none`, it is as it was told before. */
    told: z.enum(['all', 'part', 'none']),
    /** Why not all of it, in the words of the machine; null if it did not say. */
    trouble: text.nullable(),
    /** When `told` became what it is. */
    since: Instant,
    list: z.array(each),
  })

/** The containers and units of a server, as its agent tells where it was asked to. Null: it never did, or not for a day. */
export const Hosted = z.object({
  containers: listOf(Container).nullable(),
  units: listOf(SystemdUnit).nullable(),
})
export type Hosted = z.infer<typeof Hosted>
type List<Each> = Omit<NonNullable<Hosted['units']>, 'list'> & { list: Each[] }

/** A list of one report. `trouble`: why it is not the whole one; null if it is. */
export type ToldList<Each> = { list: Each[]; trouble: string | null }
/** Null: the report says nothing of them. */
export type ToldHosted = { containers: ToldList<Container> | null; units: ToldList<SystemdUnit> | null }
export const NOTHING_HOSTED: ToldHosted = { containers: null, units: null }

/** The containers and units of a server as they are known after a report. */
export function hostedAfter(
  before: Hosted | null,
  told: ToldHosted | null,
  { at, lastReportAt }: { at: Date; lastReportAt: Date | null },
): Hosted | null {
  const { containers, units } = told ?? NOTHING_HOSTED
  const isGap = lastReportAt === null || at.getTime() - lastReportAt.getTime() > MAX_GAP_MS
  const counted = containers && {
    ...containers,
    list: withRises(containers.list, before?.containers?.list ?? [], at, isGap),
  }
  const after = {
    containers: listAfter(before?.containers ?? null, counted, at),
    units: listAfter(before?.units ?? null, units, at),
  }
  return after.containers === null && after.units === null ? null : after
}

/** A list of which only the trouble was told is the one before. */
function listAfter<Each>(before: List<Each> | null, now: ToldList<Each> | null, at: Date): List<Each> | null {
  const told = now === null ? 'none' : now.trouble === null ? 'all' : now.list.length > 0 ? 'part' : 'none'
  const since = before?.told === told ? before.since : formatInstant(at)
  if (now === null && (before === null || at.getTime() - Date.parse(since) > KEPT_MS)) return null
  const list = told === 'none' ? (before?.list ?? []) : (now?.list ?? [])
  return { told, trouble: now?.trouble ?? null, since, list }
}

function withRises(now: Container[], before: Container[], at: Date, isGap: boolean): Container[] {
  const known = new Map(before.map((container) => [container.name, container]))
  return now.map((container) => {
    const { restarts = null, rises = [] } = known.get(container.name) ?? {}
    const by = isGap ? 0 : roseBy(restarts, container.restarts)
    const kept = rises.filter((rise) => Math.abs(at.getTime() - Date.parse(rise.at)) < HOUR_MS)
    const all = by > 0 ? added(kept, at, by) : kept
    return all.length > 0 ? { ...container, rises: all } : container
  })
}

/** A container that was made anew, or started by hand, counts from 0. */
function roseBy(before: number | null, now: number | null): number {
  if (before === null || now === null) return 0
  return now >= before ? now - before : now
}

function added(rises: NonNullable<Container['rises']>, at: Date, by: number) {
  const last = rises.at(-1)
  const isTogether = last && Math.abs(at.getTime() - Date.parse(last.at)) < TOGETHER_MS
  return isTogether
    ? [...rises.slice(0, -1), { at: last.at, by: last.by + by }]
    : [...rises, { at: formatInstant(at), by }]
}

/** How often a container was started again within the hour before. */
export function restartsWithinHour({ rises = [] }: Container, at: Date): number {
  return rises
    .filter((rise) => Math.abs(at.getTime() - Date.parse(rise.at)) < HOUR_MS)
    .reduce((sum, { by }) => sum + by, 0)
}

const CONTAINER_STATES = new Set(
  'created configured initialized running paused restarting removing exited dead stopped stopping'.split(' '),
)

/** It must run, and be healthy where it has a health check. Null: not known, or not settled. */
export function isContainerTrouble({ state, health }: Container): boolean | null {
  if (state !== 'running') return CONTAINER_STATES.has(state) ? true : null
  return health === 'starting' ? null : health === 'unhealthy'
}

const ACTIVE = new Set(['active', 'reloading', 'refreshing'])
const NOT_ACTIVE = new Set(['inactive', 'failed', 'deactivating', 'maintenance'])

/** It must be active. One that waits to be started again after a failure is not; one that is being started may become so. */
export function isUnitTrouble({ active, sub }: SystemdUnit): boolean | null {
  if (ACTIVE.has(active)) return false
  return NOT_ACTIVE.has(active) || sub === 'auto-restart' ? true : null
}

/** `inactive (dead)`, as systemctl says it. */
export function sayUnitState({ active, sub }: SystemdUnit): string {
  return sub === active || sub === '' ? active : `${active} (${sub})`
}

/** Types of units; a name without one is of a service, as systemctl takes it. */
const UNIT_TYPE = /\.(service|socket|device|mount|automount|swap|target|path|timer|slice|scope)$/

export function fullUnitName(name: string): string {
  return UNIT_TYPE.test(name) ? name : `${name}.service`
}

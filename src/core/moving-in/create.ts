import type { Contact } from '../alerting/contact.ts'
import { english, type Said, said } from '../language/said.ts'
import type { Monitor } from '../monitors/monitor.ts'
import type { Matched, Matches } from './match.ts'
import { pageLabel, windowLabel } from './names.ts'
import type { Skipped } from './outcome.ts'

/** The kinds of records that an import creates. */
export type MovedKind = 'contact' | 'monitor' | 'window' | 'page'

/** A record that was not created. */
export type RefusedRecord = Skipped & { kind: MovedKind; name: string }

/** The created records by name, and the refused ones with a reason. */
export type Created = {
  contacts: Map<string, Contact>
  monitors: Map<string, Monitor>
  windows: Map<string, { id: number }>
  pages: Map<string, { id: number }>
  refused: RefusedRecord[]
  /** How many of the refused ones work later, as a bound of mails or requests is used up. */
  held: number
}

/** A request of the API to make next. `id`: of the record in its path. */
export type Step = {
  operation:
    | 'createContact'
    | 'createMonitor'
    | 'setMonitorTags'
    | 'createMaintenanceWindow'
    | 'createStatusPage'
    | 'saveStatusPageLayout'
    | 'publishStatusPage'
  id?: number
  body?: object
}

/** The answer to a step. */
export type StepAnswer =
  | { ok: true; data: unknown }
  | {
      ok: false
      reason: Said
      /** The same works later. */
      isHeld: boolean
      /** Every further request would be refused, too, or get no answer. */
      isHopeless: boolean
    }

/**
 * Records that an attempt before has begun: a monitor may lack its tags, and a page its layout. They are finished, not
 * made again.
 */
export type Begun = Pick<Created, 'monitors' | 'pages'>

export type Steps<Result> = Generator<Step, Result, StepAnswer>

/** Statuses with which every further request would be refused, too. */
export const HOPELESS: readonly number[] = [401, 402, 403]
/** A bound of mails or requests is used up; the same change works later. */
export const TOO_MANY = 429

/**
 * Says request by request how the missing records are created, contacts first, windows and status pages last. Goes on
 * after a refusal. Each door makes the requests in its own way: the command line by its client, a screen by its session.
 */
export function* stepsToCreate(matches: Matches, begun: Begun = NOTHING_BEGUN): Steps<Created> {
  const created: Created = {
    contacts: new Map(),
    monitors: new Map(),
    windows: new Map(),
    pages: new Map(),
    refused: [],
    held: 0,
  }
  yield* createEach(created, missingOf(matches.contacts), 'contact', function* (contact) {
    created.contacts.set(contact.name, yield* asked<Contact>({ operation: 'createContact', body: contact }))
  })
  const ids = idsOf(matches.contacts, created.contacts)
  yield* createEach(
    created,
    linkedFirst(missingOf(matches.monitors, ({ name }) => begun.monitors.has(name))),
    'monitor',
    function* ({ contacts, tags, depends_on: parents, members, ...monitor }) {
      const lost = contacts.filter((name) => !ids.has(name))
      // Without its contacts, the monitor would alert every contact of the team.
      if (lost.length > 0) throw new Lost('contact', lost)
      const there = idsOf(matches.monitors, created.monitors)
      const missing = [...(parents ?? []), ...(members ?? [])].filter((name) => !there.has(name))
      if (missing.length > 0) throw new Lost('monitor', missing)
      const thereOf = (names: string[]) => names.flatMap((name) => there.get(name) ?? [])
      const links = {
        ...(parents && { depends_on: thereOf(parents) }),
        ...(members && { members: thereOf(members) }),
      }
      const body = {
        ...monitor,
        ...((parents || members) && { options: { ...monitor.options, ...links } }),
        notification_contact_ids: contacts.flatMap((name) => ids.get(name) ?? []),
      }
      const made =
        begun.monitors.get(monitor.name) ?? (yield* asked<Monitor>({ operation: 'createMonitor', body }))
      created.monitors.set(monitor.name, made)
      if (tags) yield* asked({ operation: 'setMonitorTags', id: made.id, body: { tags } })
    },
  )
  yield* createWindows(matches, created)
  yield* createPages(matches, created, begun)
  return created
}

type Linked = { name: string; depends_on?: string[] | undefined; members?: string[] | undefined }

/** In their order, but that those come first which others depend on, or are made of. */
function linkedFirst<M extends Linked>(monitors: M[]): M[] {
  const byName = new Map(monitors.map((monitor) => [monitor.name, monitor]))
  const sorted = new Set<M>()
  const begun = new Set<M>()
  function add(monitor: M) {
    if (begun.has(monitor)) return
    begun.add(monitor)
    for (const name of [...(monitor.depends_on ?? []), ...(monitor.members ?? [])]) {
      const parent = byName.get(name)
      if (parent) add(parent)
    }
    sorted.add(monitor)
  }
  monitors.forEach(add)
  return [...sorted]
}

const NOTHING_BEGUN: Begun = { monitors: new Map(), pages: new Map() }

/** How many requests an import makes, unless some are refused. */
export function countSteps({ contacts, monitors, windows, pages }: Matches): number {
  const ofMonitors = missingOf(monitors).reduce((sum, { tags }) => sum + (tags ? 2 : 1), 0)
  const ofPages = missingOf(pages).reduce((sum, { isPublished }) => sum + (isPublished ? 3 : 2), 0)
  return missingOf(contacts).length + ofMonitors + missingOf(windows).length + ofPages
}

/** Records that an attempt has made but not finished: they are refused although they are there. */
export function begunBy({ monitors, pages, refused }: Created): Begun {
  const unfinished = (kind: MovedKind) =>
    new Set(refused.filter((one) => one.kind === kind).map(({ name }) => name))
  const of = <Made>(made: Map<string, Made>, names: Set<string>) =>
    new Map([...made].filter(([name]) => names.has(name)))
  return { monitors: of(monitors, unfinished('monitor')), pages: of(pages, unfinished('page')) }
}

/** How many requests create a contact or a monitor, which the rest are few beside. */
export function countMissing({ contacts, monitors }: Matches): number {
  return missingOf(contacts).length + missingOf(monitors).length
}

function* createWindows({ windows, monitors }: Matches, created: Created): Steps<void> {
  const ids = idsOf(monitors, created.monitors)
  const missing = missingOf(windows).map((drafted) => ({ ...drafted, name: drafted.window.name }))
  yield* createEach(created, missing, 'window', function* ({ name, window, ...subjects }) {
    const lost = subjects.monitors.filter((monitor) => !ids.has(monitor))
    // The next import leaves alone what is there: these monitors would stay outside the window for good.
    if (lost.length > 0 && !subjects.coversAll) throw new Lost('monitor', lost)
    const covered = subjects.coversAll
      ? { all_subjects: true }
      : { monitor_ids: subjects.monitors.flatMap((monitor) => ids.get(monitor) ?? []) }
    const body = { ...window, ...covered }
    created.windows.set(name, yield* asked<{ id: number }>({ operation: 'createMaintenanceWindow', body }))
  })
}

function* createPages({ pages, monitors }: Matches, created: Created, begun: Begun): Steps<void> {
  const ids = idsOf(monitors, created.monitors)
  const missing = missingOf(pages, ({ page }) => begun.pages.has(page.name)).map((drafted) => ({
    ...drafted,
    name: drafted.page.name,
  }))
  yield* createEach(created, missing, 'page', function* ({ name, page, groups, isPublished }) {
    const lost = groups.flatMap((group) => group.monitors).filter((monitor) => !ids.has(monitor))
    if (lost.length > 0) throw new Lost('monitor', lost)
    const made =
      begun.pages.get(name) ?? (yield* asked<{ id: number }>({ operation: 'createStatusPage', body: page }))
    created.pages.set(name, made)
    const items = groups.map((group) => ({
      group: {
        name: group.name,
        components: group.monitors.map((monitor) => ({ monitor_id: ids.get(monitor), name: monitor })),
      },
    }))
    yield* asked({ operation: 'saveStatusPageLayout', id: made.id, body: { items } })
    if (isPublished) yield* asked({ operation: 'publishStatusPage', id: made.id })
  })
}

/** IDs of the records that are there now, by the names in the import. */
function idsOf(
  matched: Matched<{ name: string }, { id: number }>[],
  created: Map<string, { id: number }>,
): Map<string, number> {
  return new Map(
    matched.flatMap(({ wanted, existing }) => {
      const id = (existing ?? created.get(wanted.name))?.id
      return id === undefined ? [] : [[wanted.name, id] as const]
    }),
  )
}

/** The data of the answer to a step; throws an Unmade for a refusal. */
function* asked<T>(step: Step): Steps<T> {
  const answer = yield step
  if (answer.ok) return answer.data as T
  throw new Unmade(answer)
}

class Unmade extends Error {
  readonly reason: Said
  readonly isHeld: boolean
  readonly isHopeless: boolean

  constructor({ reason, isHeld, isHopeless }: StepAnswer & { ok: false }) {
    super(english(reason))
    this.reason = reason
    this.isHeld = isHeld
    this.isHopeless = isHopeless
  }
}

class Lost extends Error {
  readonly reason: Said

  constructor(kind: 'contact' | 'monitor', names: string[]) {
    const reason = NEEDS[kind](names.join(', '))
    super(english(reason))
    this.reason = reason
  }
}

const NEEDS = {
  contact: (names: string) => said('needs its contact {names}: import again once that exists', { names }),
  monitor: (names: string) => said('needs its monitor {names}: import again once that exists', { names }),
}

const LABELS: Record<MovedKind, (name: string) => Said> = {
  contact: (name) => said('contact {name}', { name }),
  monitor: (name) => said('monitor {name}', { name }),
  window: windowLabel,
  page: pageLabel,
}

/** `isBegun`: it is there, but not whole. */
function missingOf<Wanted>(
  matched: { wanted: Wanted; existing: unknown }[],
  isBegun: (wanted: Wanted) => boolean = () => false,
): Wanted[] {
  return matched
    .filter(({ wanted, existing }) => existing === null || isBegun(wanted))
    .map(({ wanted }) => wanted)
}

function* createEach<Wanted extends { name: string }>(
  created: Pick<Created, 'refused' | 'held'>,
  wanted: Wanted[],
  kind: MovedKind,
  create: (wanted: Wanted) => Steps<void>,
): Steps<void> {
  const { refused } = created
  let hopeless: Said | null = null
  /** The first one, so that the report says it once: the rest of the wait changes from one refusal to the next. */
  let heldReason: Said | null = null
  for (const each of wanted) {
    const { name } = each
    const refuse = (reason: Said) => refused.push({ kind, name, what: LABELS[kind](name), reason })
    try {
      if (hopeless === null) yield* create(each)
      else refuse(hopeless)
    } catch (error) {
      if (!(error instanceof Unmade || error instanceof Lost)) throw error
      const isHeld = error instanceof Unmade && error.isHeld
      if (isHeld) {
        created.held++
        heldReason ??= error.reason
      }
      const reason = isHeld && heldReason !== null ? heldReason : error.reason
      refuse(reason)
      if (error instanceof Unmade && error.isHopeless) hopeless = reason
    }
  }
}

import type { OperationId } from '../../contract/contract.ts'
import type { Contact } from '../../core/alerting/contact.ts'
import type { Monitor } from '../../core/monitors/monitor.ts'
import type { Matched, Matches } from '../../imports/match.ts'
import { askData, type Client, NoAnswer, Refused } from '../client/client.ts'
import { reportProgress, timeNotice } from '../client/pace.ts'
import { reasonOf } from '../output.ts'
import { setTags, TOO_MANY } from './apply-changes.ts'

/** The created records by name, and the refused ones with a reason. */
export type Created = {
  contacts: Map<string, Contact>
  monitors: Map<string, Monitor>
  windows: Map<string, { id: number }>
  pages: Map<string, { id: number }>
  refused: { what: string; reason: string }[]
  /** How many of the refused ones work later, as a bound of mails or requests is used up. */
  held: number
}

/** Statuses with which every further request would be refused, too. */
const HOPELESS = [401, 402, 403]

/** Creates the missing records, contacts first, windows and status pages last. Continues after a refusal. */
export async function createMissing(
  client: Client,
  matches: Matches,
  report: (line: string) => void,
): Promise<Created> {
  const created: Created = {
    contacts: new Map(),
    monitors: new Map(),
    windows: new Map(),
    pages: new Map(),
    refused: [],
    held: 0,
  }
  const missing = { contacts: missingOf(matches.contacts), monitors: missingOf(matches.monitors) }
  const total = missing.contacts.length + missing.monitors.length
  const notice = timeNotice(total, client.pace())
  if (notice !== null) report(notice)
  const tell = reportProgress(total, client.pace, report)
  await createEach(created, missing.contacts, 'contact', async (contact) => {
    created.contacts.set(contact.name, await askData<Contact>(client, 'createContact', { body: contact }))
    tell()
  })
  const ids = idsOf(matches.contacts, created.contacts)
  await createEach(created, missing.monitors, 'monitor', async ({ contacts, tags, ...monitor }) => {
    const lost = contacts.filter((name) => !ids.has(name))
    // Without its contacts, the monitor would alert every contact of the team.
    if (lost.length > 0) throw new Lost('contact', lost)
    const body = { ...monitor, notification_contact_ids: contacts.flatMap((name) => ids.get(name) ?? []) }
    const made = await askData<Monitor>(client, 'createMonitor', { body })
    created.monitors.set(monitor.name, made)
    await setTags(client, made.id, tags)
    tell()
  })
  await createWindows(client, matches, created)
  await createPages(client, matches, created)
  return created
}

async function createWindows(
  { internal }: Client,
  { windows, monitors }: Matches,
  created: Created,
): Promise<void> {
  if (internal === null) return
  const ids = idsOf(monitors, created.monitors)
  const missing = missingOf(windows).map((drafted) => ({ ...drafted, name: drafted.window.name }))
  await createEach(created, missing, 'maintenance window', async ({ name, window, ...subjects }) => {
    const lost = subjects.monitors.filter((monitor) => !ids.has(monitor))
    // The next import leaves alone what is there: these monitors would stay outside the window for good.
    if (lost.length > 0 && !subjects.coversAll) throw new Lost('monitor', lost)
    const covered = subjects.coversAll
      ? { all_subjects: true }
      : { monitor_ids: subjects.monitors.flatMap((monitor) => ids.get(monitor) ?? []) }
    const body = { ...window, ...covered }
    created.windows.set(
      name,
      await askData<{ id: number }, OperationId>(internal, 'createMaintenanceWindow', { body }),
    )
  })
}

async function createPages(
  { internal }: Client,
  { pages, monitors }: Matches,
  created: Created,
): Promise<void> {
  if (internal === null) return
  const ids = idsOf(monitors, created.monitors)
  const missing = missingOf(pages).map((drafted) => ({ ...drafted, name: drafted.page.name }))
  await createEach(created, missing, 'status page', async ({ name, page, groups, isPublished }) => {
    const lost = groups.flatMap((group) => group.monitors).filter((monitor) => !ids.has(monitor))
    if (lost.length > 0) throw new Lost('monitor', lost)
    const made = await askData<{ id: number }, OperationId>(internal, 'createStatusPage', { body: page })
    created.pages.set(name, made)
    const items = groups.map((group) => ({
      group: {
        name: group.name,
        components: group.monitors.map((monitor) => ({ monitor_id: ids.get(monitor), name: monitor })),
      },
    }))
    const params = { statusPage: made.id }
    await askData<unknown, OperationId>(internal, 'saveStatusPageLayout', { params, body: { items } })
    if (isPublished) await askData<unknown, OperationId>(internal, 'publishStatusPage', { params })
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

class Lost extends Error {
  constructor(kind: string, names: string[]) {
    super(`needs its ${kind} ${names.join(', ')}: import again once that exists`)
  }
}

function missingOf<Wanted>(matched: { wanted: Wanted; existing: unknown }[]): Wanted[] {
  return matched.filter(({ existing }) => existing === null).map(({ wanted }) => wanted)
}

async function createEach<Wanted extends { name: string }>(
  created: Pick<Created, 'refused' | 'held'>,
  wanted: Wanted[],
  kind: string,
  create: (wanted: Wanted) => Promise<void>,
): Promise<void> {
  const { refused } = created
  let hopeless: string | null = null
  /** The first one, so that the report says it once: the rest of the wait changes from one refusal to the next. */
  let heldReason: string | null = null
  for (const each of wanted) {
    const what = `${kind} ${each.name}`
    try {
      if (hopeless === null) await create(each)
      else refused.push({ what, reason: hopeless })
    } catch (error) {
      if (!(error instanceof Refused || error instanceof NoAnswer || error instanceof Lost)) throw error
      const isHeld = error instanceof Refused && error.status === TOO_MANY
      if (isHeld) {
        created.held++
        heldReason ??= reasonOf(error, '; ')
      }
      const reason = isHeld && heldReason !== null ? heldReason : reasonOf(error, '; ')
      refused.push({ what, reason })
      // Without an answer, the record may exist or not. The next import finds out.
      if (error instanceof NoAnswer || (error instanceof Refused && HOPELESS.includes(error.status)))
        hopeless = reason
    }
  }
}

import type { Contact } from '../../core/alerting/contact.ts'
import { Refusal } from '../../core/errors.ts'
import type { Monitor } from '../../core/monitors/monitor.ts'
import type { Matches } from '../../imports/match.ts'
import { windowLabel } from '../../imports/names.ts'
import { askData, type Client, NoAnswer, Refused } from '../client/client.ts'
import { reportProgress, timeNotice } from '../client/pace.ts'
import { reasonOf } from '../output.ts'

/** The created records by name, and the refused ones with a reason. */
export type Created = {
  contacts: Map<string, Contact>
  monitors: Map<string, Monitor>
  windows: Map<string, { id: number }>
  refused: { what: string; reason: string }[]
}

/** Statuses with which every further request would be refused, too. */
const HOPELESS = [401, 402, 403]

/** Creates the missing records, contacts first and windows last. Continues after a refusal. */
export async function createMissing(
  client: Client,
  matches: Matches,
  report: (line: string) => void,
): Promise<Created> {
  const created: Created = { contacts: new Map(), monitors: new Map(), windows: new Map(), refused: [] }
  const missing = { contacts: missingOf(matches.contacts), monitors: missingOf(matches.monitors) }
  const total = missing.contacts.length + missing.monitors.length
  const notice = timeNotice(total, client.pace())
  if (notice !== null) report(notice)
  const tell = reportProgress(total, client.pace, report)
  await createEach(created.refused, missing.contacts, 'contact', async (contact) => {
    created.contacts.set(contact.name, await askData<Contact>(client, 'createContact', { body: contact }))
    tell()
  })
  const ids = new Map(
    matches.contacts.flatMap(({ wanted, existing }) => {
      const id = (existing ?? created.contacts.get(wanted.name))?.id
      return id === undefined ? [] : [[wanted.name, id] as const]
    }),
  )
  await createEach(created.refused, missing.monitors, 'monitor', async ({ contacts, ...monitor }) => {
    const lost = contacts.filter((name) => !ids.has(name))
    // Without its contacts, the monitor would alert every contact of the team.
    if (lost.length > 0) throw new Lost('contact', lost)
    const body = { ...monitor, notification_contact_ids: contacts.flatMap((name) => ids.get(name) ?? []) }
    created.monitors.set(monitor.name, await askData<Monitor>(client, 'createMonitor', { body }))
    tell()
  })
  await createWindows(client, matches, created)
  return created
}

/** In one transaction, as a window that is there is left alone by the next import. */
async function createWindows(client: Client, matches: Matches, created: Created): Promise<void> {
  const ids = new Map(
    matches.monitors.flatMap(({ wanted, existing }) => {
      const id = (existing ?? created.monitors.get(wanted.name))?.id
      return id === undefined ? [] : [[wanted.name, id] as const]
    }),
  )
  const refuse = (name: string, error: unknown) =>
    created.refused.push({ what: windowLabel(name), reason: reasonOf(error, '; ') })
  const windows = missingOf(matches.windows).flatMap(({ window, monitors, coversAll }) => {
    if (coversAll) return [{ ...window, all_subjects: true }]
    const lost = monitors.filter((name) => !ids.has(name))
    if (lost.length > 0) refuse(window.name, new Lost('monitor', lost))
    return lost.length > 0
      ? []
      : [{ ...window, monitor_ids: monitors.flatMap((name) => ids.get(name) ?? []) }]
  })
  if (windows.length === 0) return
  try {
    for (const { id, name } of (await client.windows?.create(windows)) ?? [])
      created.windows.set(name, { id })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const { name } of windows) refuse(name, error)
  }
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
  refused: Created['refused'],
  wanted: Wanted[],
  kind: string,
  create: (wanted: Wanted) => Promise<void>,
): Promise<void> {
  let hopeless: string | null = null
  for (const each of wanted) {
    const what = `${kind} ${each.name}`
    try {
      if (hopeless === null) await create(each)
      else refused.push({ what, reason: hopeless })
    } catch (error) {
      if (!(error instanceof Refused || error instanceof NoAnswer || error instanceof Lost)) throw error
      const reason = reasonOf(error, '; ')
      refused.push({ what, reason })
      // Without an answer, the record may exist or not. The next import finds out.
      if (error instanceof NoAnswer || (error instanceof Refused && HOPELESS.includes(error.status)))
        hopeless = reason
    }
  }
}

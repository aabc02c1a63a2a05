import { type Said, said } from '../../core/language/said.ts'
import { windowAt } from '../../core/maintenance/occurrence.ts'
import { windowLabel } from '../../core/moving-in/names.ts'
import type { Draft } from '../draft.ts'
import { type Fields, numberOf, textOf } from '../fields.ts'
import { alsoCovered, isSaid } from '../reasons.ts'
import { type MonitorsById, withGroups } from './groups.ts'
import { kumaTimesOf } from './window-times.ts'

/** Rows of maintenance in Uptime Kuma's database. */
export type KumaWindows = {
  maintenances: Fields[]
  covered: { maintenanceId: number; monitorId: number }[]
  /** IDs of those that status pages show. */
  onPages: number[]
  /** Empty if it is not set. */
  serverZone: string
}

/** Names under which monitors were drafted, by their IDs. */
type DraftedNames = Map<number | null, string>

export function draftKumaWindows(
  draft: Draft,
  windows: KumaWindows,
  byId: MonitorsById,
  names: DraftedNames,
  hasPages: boolean,
): void {
  const subjects = subjectsOf(windows, byId, names)
  const onPages = new Set(windows.onPages)
  for (const maintenance of windows.maintenances) {
    const id = numberOf(maintenance.id) ?? Number.NaN
    const isHidden = hasPages && !onPages.has(id)
    draftOne(draft, maintenance, { serverZone: windows.serverZone, isHidden, ...(subjects.get(id) ?? NONE) })
  }
}

/** The subjects of a maintenance: drafted monitors, and names of others. */
type Subjects = { monitors: string[]; lost: string[]; coversGroup: boolean }

const NONE: Subjects = { monitors: [], lost: [], coversGroup: false }

function draftOne(
  draft: Draft,
  maintenance: Fields,
  { serverZone, isHidden, monitors, lost, coversGroup }: Subjects & { serverZone: string; isHidden: boolean },
): void {
  const name = textOf(maintenance.title) || `${textOf(maintenance.id)}`
  const times = kumaTimesOf(maintenance, { name, serverZone, now: draft.now })
  if (isSaid(times)) {
    draft.skip(windowLabel(name), times)
    return
  }
  const reason = withoutMonitors(monitors, lost)
  if (reason !== null) {
    draft.skip(windowLabel(name), reason)
    return
  }
  const notes = [
    ...times.notes,
    ...(lost.length > 0 ? [alsoCovered(lost)] : []),
    ...(coversGroup ? [said('covered a group: here it covers the monitors that are in it now')] : []),
    ...(isHidden ? [said('was on no status page: here it is on each that shows its monitors')] : []),
  ]
  const note = textOf(maintenance.description)
  for (const { name, times: when } of times.windows) {
    const drafted = draft.window({ name, note, times: when, monitors })
    if (drafted === null) continue
    const isCut = times.endsAt !== null && windowAt(drafted.window, times.endsAt) !== null
    for (const text of isCut ? [...notes, CUT] : notes) draft.note(windowLabel(drafted.window.name), text)
  }
}

const CUT = said('ended amid its last occurrence: here that one lasts as long as the others')

function withoutMonitors(monitors: string[], lost: string[]): Said | null {
  if (monitors.length > 0) return null
  return lost.length > 0
    ? said('covers only what did not come over: {names}', { names: lost.join(', ') })
    : said('covers no monitors')
}

/** The subjects by ID of the maintenance. One of a group covers every monitor in it. */
function subjectsOf(
  { covered }: KumaWindows,
  byId: MonitorsById,
  names: DraftedNames,
): Map<number, Subjects> {
  const attached = Map.groupBy(covered, ({ monitorId }) => monitorId)
  const subjects = new Map<number, Subjects>()
  for (const monitor of byId.values()) {
    const found = new Map<number, boolean>()
    for (const link of withGroups(monitor, byId)) {
      for (const { maintenanceId } of attached.get(numberOf(link.id) ?? Number.NaN) ?? [])
        found.set(maintenanceId, found.get(maintenanceId) || link !== monitor)
    }
    const name = names.get(numberOf(monitor.id))
    for (const [maintenanceId, byGroup] of found) {
      const subject = subjects.get(maintenanceId) ?? { monitors: [], lost: [], coversGroup: false }
      subjects.set(maintenanceId, subject)
      subject.coversGroup ||= byGroup
      if (name !== undefined) subject.monitors.push(name)
      else if (textOf(monitor.type) !== 'group') subject.lost.push(textOf(monitor.name))
    }
  }
  return subjects
}

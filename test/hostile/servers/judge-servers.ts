import { maintenanceOf } from '../judge-windows.ts'
import { at, type Evidence, type Incident } from '../logs.ts'
import { isCovered, isIn } from '../spans.ts'
import { FULL, FULL_AT_ONCE, type KeptReport, SILENT } from './truth.ts'

/** A report that was taken is kept once; one that nobody answered is kept once or not at all, and as it was sent. */
export function wrongReports({ reports }: Evidence): string[] {
  const { sent, kept } = reports
  const keptOf = Map.groupBy(kept, nameOf)
  const sentOf = new Map(sent.map((one) => [nameOf(one), one]))
  const lost = sent.filter((one) => one.isTaken && !keptOf.has(nameOf(one)))
  const doubled = [...keptOf].filter(([, rows]) => rows.length > 1)
  const invented = kept.filter((one) => sentOf.get(nameOf(one))?.used !== one.used)
  return [
    ...lost.map((one) => `lost: ${nameOf(one)}`),
    ...doubled.map(([name, rows]) => `kept ${rows.length} times: ${name}`),
    ...invented.map((one) => `never sent like that: ${nameOf(one)}`),
  ]
}

function nameOf({ server, report }: { server: number; report: number }): string {
  return `report ${report} of server ${server}`
}

/** The truth keeps one incident of a server for each time that its disk was full; any silence ends with a report. */
export function differingServerIncidents(evidence: Evidence): string[] {
  const keptOf = Map.groupBy(
    evidence.reports.kept.toSorted((a, b) => a.turn - b.turn),
    ({ server }) => server,
  )
  return evidence.reports.servers.flatMap((server) => {
    const kept = keptOf.get(server) ?? []
    const own = evidence.incidents.filter(({ monitor }) => monitor === server)
    return [
      ...wronglyFull(
        evidence,
        fillingsOf(evidence, server, kept),
        own.filter(({ condition }) => condition === FULL),
      ),
      ...own
        .filter(({ condition }) => condition === SILENT)
        .flatMap((one) => wronglySilent(evidence, one, kept)),
    ]
  })
}

/** A time that a disk was full, with every moment at which its incident may begin. */
type Filling = {
  server: number
  sinceMs: number
  beginnings: number[]
  resolvedMs: number | null
  /** It was under maintenance all the time, or may have been. */
  mayBeUntold: boolean
}

/** From the first report beyond the level to enter to the first one beyond the level to leave. */
function fillingsOf(evidence: Evidence, server: number, kept: KeptReport[]): Filling[] {
  const { cover, unsettled } = maintenanceOf(evidence)(server)
  const fillings: Filling[] = []
  let open: Filling | null = null
  for (const { atMs, used } of kept) {
    if (open && used <= FULL_AT_ONCE.leave) {
      open.resolvedMs = atMs
      open = null
      continue
    }
    if (!open && used < FULL_AT_ONCE.enter) continue
    if (!open) {
      open = { server, sinceMs: atMs, beginnings: [], resolvedMs: null, mayBeUntold: true }
      fillings.push(open)
    }
    if (!open.mayBeUntold) continue
    const isUnsettled = unsettled.some((span) => isIn(atMs, span))
    if (!isUnsettled && isCovered(cover, atMs)) continue
    const { sinceMs } = open
    const ends = cover.map(({ toMs }) => toMs).filter((toMs) => toMs > sinceMs && toMs <= atMs)
    const wasUnsettled = unsettled.some((span) => isIn(sinceMs, span))
    // A window that was being ended when it began leaves open whether it began within.
    open.beginnings.push(...ends)
    if (ends.length === 0 || wasUnsettled || isUnsettled) open.beginnings.push(atMs)
    open.mayBeUntold = isUnsettled
  }
  return fillings
}

function wronglyFull(evidence: Evidence, fillings: Filling[], incidents: Incident[]): string[] {
  const left = [...incidents]
  const untold = fillings.filter(({ beginnings, resolvedMs, mayBeUntold }) => {
    const found = left.findIndex(
      (incident) => incident.resolvedMs === resolvedMs && beginnings.includes(incident.startedMs),
    )
    if (found >= 0) left.splice(found, 1)
    return found < 0 && !mayBeUntold
  })
  return [
    ...untold.map(
      ({ server, sinceMs }) => `no incident: server ${server} was full at ${at(evidence, sinceMs)}`,
    ),
    ...left.map((one) => `incident ${one.id} of server ${one.monitor}, which was not full or not until then`),
  ]
}

function wronglySilent(evidence: Evidence, incident: Incident, kept: KeptReport[]): string[] {
  const { id, monitor, startedMs, resolvedMs } = incident
  const next = kept.find(({ atMs }) => atMs > startedMs)?.atMs ?? null
  // A report that was on its way when it was judged ends it where it began.
  if (next === resolvedMs || resolvedMs === startedMs) return []
  return [
    `incident ${id}: the silence of server ${monitor} from ${at(evidence, startedMs)} on has another end`,
  ]
}

import { allOperations } from '../../../src/contract/contract.ts'
import type { ImportKind } from '../../../src/core/moving-in/kinds.ts'
import { type Matches, matchWithTeam } from '../../../src/core/moving-in/match.ts'
import type { DraftedWindow, Outcome } from '../../../src/core/moving-in/outcome.ts'
import { type AnswerOf, ask } from '../ask.ts'
import { Problem } from '../problem.ts'
import { send } from '../send.ts'
import { readAllMonitors } from './all-monitors.ts'

/** An upload, and reading it to the end of what it may take. */
const MAX_MS = 120_000

/** The content of files, and the service that they are from. */
export type ReadFiles = { service: ImportKind; outcome: Outcome }

/** Has the service read the files of an export, which it does not keep. Files of another service are read as its own. */
export async function readExportFiles(
  team: number,
  service: ImportKind,
  files: readonly File[],
): Promise<ReadFiles> {
  try {
    return await sendFiles(team, service, files)
  } catch (error) {
    if (!(error instanceof Problem) || error.looksLike === null) throw error
    return sendFiles(team, error.looksLike, files)
  }
}

async function sendFiles(team: number, service: ImportKind, files: readonly File[]): Promise<ReadFiles> {
  const { method, path } = allOperations.readExport
  const answer = await send({
    method,
    path: `/app/teams/${team}${path}`,
    query: { service, sizes: files.map(({ size }) => size).join() },
    bytes: new Blob([...files]),
    maxMs: MAX_MS,
  })
  const { data } = answer as AnswerOf<'readExport'>
  return { ...data, outcome: { ...data.outcome, windows: data.outcome.windows.map(withTimes) } }
}

/** In JSON, times are texts. */
function withTimes(drafted: DraftedWindow): DraftedWindow {
  const { window } = drafted
  if (window.kind !== 'one_off') return drafted
  const { starts_at: startsAt, ends_at: endsAt } = window
  return { ...drafted, window: { ...window, starts_at: new Date(startsAt), ends_at: new Date(endsAt) } }
}

/** The records of an import beside those that the team has now. */
export async function matchNow(team: number, outcome: Outcome): Promise<Matches> {
  const contacts = (await ask(team, 'listContacts', {})).data
  const monitors = await readAllMonitors(team)
  const windows = (await ask(team, 'listMaintenanceWindows', {})).data
  const pages = (await ask(team, 'listStatusPages', {})).data
  return matchWithTeam(outcome, { contacts, monitors, windows, pages })
}

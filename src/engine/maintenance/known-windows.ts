import { putLast } from '../../core/bounded-map.ts'
import { type SubjectCover, type TeamCover, teamCover } from '../../core/maintenance/team-cover.ts'
import type { SubjectKind } from '../../core/maintenance/window.ts'
import { type Reader, readSubjectRevisions, readTeamWindows } from '../../store/maintenance/judged-windows.ts'

const MAX_TEAMS = 1_000
const DAY_MS = 86_400_000
/** Occurrences that ended longer than this before a question are not looked at, but for those of plans. */
const MARGIN_MS = 2 * DAY_MS

/** Windows as subjects of one kind are judged by; null where the team of one never had any. */
export type CoverOf = (id: number) => SubjectCover | null

export type KnownWindows = {
  /**
   * The windows of these subjects, for questions about `from` and later; core/maintenance/maintenance-at.ts says what a
   * cover means for one of them. One short statement while none has changed.
   */
  read(reader: Reader, kind: SubjectKind, subjectIds: number[], from: Date): Promise<CoverOf>
}

type KnownTeam = { revision: number; fromMs: number; cover: TeamCover }

/** Keeps the windows of teams for as long as they do not change. */
export function createKnownWindows(): KnownWindows {
  const teams = new Map<number, KnownTeam>()

  async function read(reader: Reader, kind: SubjectKind, subjectIds: number[], from: Date): Promise<CoverOf> {
    const revisions = await readSubjectRevisions(reader, kind, subjectIds)
    const asked = new Map(revisions.map(({ teamId, revision }) => [teamId, revision]))
    const changed = [...asked].filter(([teamId, revision]) => {
      const known = teams.get(teamId)
      return known?.revision !== revision || known.fromMs > from.getTime()
    })
    const covers = new Map([...asked.keys()].map((teamId) => [teamId, teams.get(teamId)?.cover]))
    if (changed.length > 0) {
      const fromMs = from.getTime() - MARGIN_MS
      const ids = changed.map(([teamId]) => teamId)
      for (const [teamId, read] of await readTeamWindows(reader, ids, new Date(fromMs))) {
        const cover = teamCover(read.windows)
        covers.set(teamId, cover)
        putLast(teams, teamId, { revision: read.revision, fromMs, cover }, MAX_TEAMS)
      }
    }
    const teamOf = new Map(revisions.map(({ id, teamId }) => [id, teamId]))
    return (id) => covers.get(teamOf.get(id) ?? 0)?.[kind] ?? null
  }

  return { read }
}

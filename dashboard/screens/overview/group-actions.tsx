import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { AcknowledgeMany, type ManyIncident, PostAboutMany } from '../incidents/many-incidents.tsx'
import type { HeldTrouble } from './held-troubles.ts'

const PER_PAGE = 100

/** Actions on the incidents of all that fails for one cause. `ids`: of its subjects. */
export default function GroupActions({ row, ids }: { row: HeldTrouble; ids: readonly number[] }) {
  const { id: team, may } = useTeam()
  if (!may('write') || row.count === 0) return null
  return (
    <li className="flex flex-wrap gap-2 px-4 py-2.5">
      <AcknowledgeMany
        count={row.count - row.acknowledged}
        read={() => readUnacknowledged(team, row.kind, ids)}
      />
      <PostAboutMany subjects={ids.map((id) => ({ kind: row.kind, id }))} />
    </li>
  )
}

/** The ongoing incidents of these subjects that nobody has, through all pages of the list. */
async function readUnacknowledged(
  team: number,
  kind: HeldTrouble['kind'],
  ids: readonly number[],
): Promise<ManyIncident[]> {
  const wanted = new Set(ids)
  const found: ManyIncident[] = []
  for (let page = 1; ; page++) {
    const query = { state: 'unacknowledged', kind, page: String(page), per_page: String(PER_PAGE) } as const
    const { data, meta } = await ask(team, 'listIncidentRows', { query })
    for (const { id, subject_id, subject_name: name } of data) {
      if (wanted.has(subject_id)) found.push({ kind, id, name })
    }
    if (page >= meta.last_page || data.length === 0) return found
  }
}

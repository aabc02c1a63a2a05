import { useQuery } from '@tanstack/react-query'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { question } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'
import { Button } from '../../parts/button.tsx'
import { STATE_WORDS } from '../../parts/status-pages/state-words.ts'
import type { Pair } from '../draft.ts'
import { componentsOf, pairsOf } from './post-fields.ts'

/** An open incident without components: the page will say that none is named, and those that are down are proposed. */
export function ProposedImpacts({
  team,
  page,
  onTake,
}: {
  team: number
  page: StatusPageDetail
  onTake: (pairs: Pair[]) => void
}) {
  const { data } = useQuery(question(team, 'proposeStatusPost', { id: page.id, query: {} }))
  const names = new Map(componentsOf(page).map(({ component: { id, name } }) => [id, name]))
  const down = data?.data.impacts.filter(({ component_id: id }) => names.has(id)) ?? []
  const said = down.map(({ component_id: id, state }) => `${names.get(id)} (${STATE_WORDS[state]})`)
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-md border border-degraded px-3 py-2">
      <p className="min-w-0 flex-1 basis-60 break-words">
        {t('None is chosen. The page will say that no affected component is named.')}
        {said.length > 0 && ` ${t('Down now: {names}.', { names: sayList(said) })}`}
      </p>
      {said.length > 0 && (
        <Button size="small" onClick={() => onTake(pairsOf(down))}>
          {t('Choose what is down')}
        </Button>
      )}
    </div>
  )
}

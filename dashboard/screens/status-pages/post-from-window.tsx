import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DAY_MS } from '../../../src/core/history/history-span.ts'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Panel } from '../../parts/panel.tsx'
import { WindowPostForm } from '../../parts/status-pages/window-post.tsx'

const SHOWN_DAYS = 60
/** A list of more would take long to read; a window's own page offers its next ones. */
const SHOWN_TIMES = 50

/** Occurrences that run or are planned, to begin a post from; nothing where no window is. */
export function PostFromWindow({ page }: { page: StatusPageDetail }) {
  const { id: team } = useTeam()
  const [now] = useState(() => Date.now())
  const { data } = useQuery(
    question(team, 'listMaintenanceOccurrences', {
      query: { from: new Date(now).toISOString(), to: new Date(now + SHOWN_DAYS * DAY_MS).toISOString() },
    }),
  )
  const times = data?.data.filter(({ exists, state }) => exists && state !== 'over') ?? []
  if (times.length === 0) return null
  return (
    <Panel title={t('From a maintenance window')}>
      <div className="p-4">
        <WindowPostForm pages={[page]} times={times.slice(0, SHOWN_TIMES)} />
      </div>
    </Panel>
  )
}

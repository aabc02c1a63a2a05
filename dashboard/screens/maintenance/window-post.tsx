import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { WindowPostForm } from '../../parts/status-pages/window-post.tsx'

/** Announces an occurrence of a window, what runs or is to come, on a status page. */
export function WindowPost({ window }: { window: WindowDetail }) {
  const { id: team } = useTeam()
  const [isAsking, setAsking] = useState(false)
  const { data } = useQuery(question(team, 'listStatusPages', {}))
  const { id: window_id, name: window_name, current, preview } = window
  const next = preview.next.filter(({ starts_at }) => starts_at !== current?.starts_at)
  const times = [...(current ? [current] : []), ...next].map((time) => ({ ...time, window_id, window_name }))
  if (!data || data.data.length === 0 || times.length === 0) return null
  return (
    <>
      <Button size="small" className="self-start" onClick={() => setAsking(true)}>
        {t('Post on a status page…')}
      </Button>
      <Dialog title={t('Post on a status page')} open={isAsking} onClose={() => setAsking(false)}>
        <WindowPostForm
          pages={data.data}
          times={times}
          beside={<Button onClick={() => setAsking(false)}>{t('Cancel')}</Button>}
        />
      </Dialog>
    </>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ShownSpan } from '../../../src/core/maintenance/shown-window.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { useNotices } from '../feedback/notices.tsx'
import { Refused } from '../feedback/refused.tsx'
import { SelectField } from '../field.tsx'
import { sayTime } from '../time.tsx'

/** An occurrence of a maintenance window that a post can be about. */
export type PlannedTime = ShownSpan & { window_id: number; window_name: string }

/** Drafts a post about an occurrence of a window, with its words, times and components. */
export function WindowPostForm({
  pages,
  times,
  beside,
}: {
  pages: readonly { id: number; name: string }[]
  times: readonly PlannedTime[]
  beside?: ReactNode
}) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const [page, setPage] = useState(String(pages[0]?.id))
  const [at, setAt] = useState(0)
  const time = times[at] ?? times[0]
  const draft = useMutation({
    mutationFn: ({ window_id, starts_at }: PlannedTime) =>
      ask(team, 'draftMaintenancePost', { id: Number(page), body: { window_id, starts_at } }),
    onSuccess: async ({ data: { id, is_draft, page_id } }) => {
      void queries.invalidateQueries({ queryKey: [team, 'listStatusPosts'] })
      const params = { team: String(team), page: String(page_id), post: String(id) }
      await navigate({ to: '/teams/$team/status-pages/$page/posts/$post', params, ignoreBlocker: true })
      say.done(
        is_draft
          ? t('The draft is saved. Visitors see it once it is published.')
          : t('This is the post about it.'),
      )
    },
  })
  if (!time) return null
  const hasOneWindow = times.every(({ window_id }) => window_id === time.window_id)
  return (
    <div className="flex flex-col gap-4">
      {pages.length > 1 && (
        <SelectField label={t('Status page')} value={page} onChange={({ target }) => setPage(target.value)}>
          {pages.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        label={t('Maintenance')}
        hint={t(
          'The draft has its name, note, times and components. It moves along when the window is changed.',
        )}
        value={at}
        onChange={({ target }) => setAt(Number(target.value))}
      >
        {times.map(({ window_id, window_name, starts_at, ends_at }, index) => (
          <option key={`${window_id} ${starts_at}`} value={index}>
            {hasOneWindow ? '' : `${window_name}, `}
            {sayTime(starts_at)} – {sayTime(ends_at)}
          </option>
        ))}
      </SelectField>
      <Refused error={draft.error} />
      <div className="flex flex-wrap justify-end gap-2">
        {beside}
        <Button tone="main" busy={draft.isPending} onClick={() => draft.mutate(time)}>
          {t('Draft post')}
        </Button>
      </div>
    </div>
  )
}

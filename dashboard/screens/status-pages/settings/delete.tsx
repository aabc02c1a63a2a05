import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { StatusPageDetail } from '../../../../src/core/status-pages/shown-page.ts'
import { ask } from '../../../data/ask.ts'
import { useTeam } from '../../../data/session.ts'
import { t } from '../../../language/language.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useNotices } from '../../../parts/feedback/notices.tsx'
import { Refused } from '../../../parts/feedback/refused.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Section } from '../../../parts/panel.tsx'
import { useUndo } from '../../../parts/records/use-undo.ts'

export function PageDelete({ page }: { page: StatusPageDetail }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <Section
      title={t('Delete page')}
      about={t('This deletes the page with its posts, subscribers and domains. Monitors stay.')}
    >
      <div className="p-4">
        <Button tone="danger" onClick={() => setAsking(true)}>
          {t('Delete page…')}
        </Button>
      </div>
      <Dialog
        title={t('Delete {name}?', { name: page.name })}
        open={isAsking}
        onClose={() => setAsking(false)}
      >
        <Deletion page={page} onClose={() => setAsking(false)} />
      </Dialog>
    </Section>
  )
}

function Deletion({ page: { id, name }, onClose }: { page: StatusPageDetail; onClose: () => void }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const undo = useUndo({ of: 'StatusPage' })
  const [typed, setTyped] = useState('')
  const remove = useMutation({
    mutationFn: () => ask(team, 'deleteStatusPage', { id }),
    onSuccess: async () => {
      await navigate({ to: '/teams/$team/status-pages', params: { team: String(team) }, ignoreBlocker: true })
      // Only now: the screen that was left would fetch a page that is gone.
      queries.removeQueries({ queryKey: [team, 'getStatusPage', id] })
      void queries.invalidateQueries({ queryKey: [team, 'listStatusPages'] })
      say.done(t('{name} deleted.', { name }), undo([id]))
    },
  })
  const isRight = typed.trim() === name.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isRight) remove.mutate()
      }}
      className="flex flex-col gap-4"
    >
      <p className="text-soft">
        {t(
          'Visitors and subscribers lose it at once. You can undo this for a moment, in the notice that follows.',
        )}
      </p>
      <TextField
        label={t('Type the name of the page: {name}', { name })}
        value={typed}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
      <Refused error={remove.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" tone="danger" busy={remove.isPending} disabled={!isRight}>
          {t('Delete page')}
        </Button>
      </div>
    </form>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useNotices } from '../app/notices.tsx'
import { useTeam } from '../data/session.ts'
import { t } from '../language/language.ts'
import { Button } from './button.tsx'
import { Confirm } from './confirm.tsx'

/** Deletes what a page is about, after a question, and leaves the page. */
export function DeleteButton({
  name,
  verb,
  remove,
  to,
  forget,
  children,
}: {
  name: string
  verb: string
  remove: () => Promise<unknown>
  /** The list that it was in. */
  to: '/teams/$team/on-call' | '/teams/$team/maintenance'
  /** Questions about it, which have no answer any more. */
  forget: readonly unknown[][]
  /** The consequences. */
  children: ReactNode
}) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      await navigate({ to, params: { team: String(team) } })
      // Only now: the page that was left would fetch what is gone.
      for (const queryKey of forget) queries.removeQueries({ queryKey })
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(t('{name} deleted.', { name }))
    },
    onError: (error) => {
      setAsking(false)
      say.problem(error)
    },
  })
  return (
    <>
      <Button size="small" tone="danger" onClick={() => setAsking(true)}>
        {t('Delete')}
      </Button>
      <Confirm
        title={t('Delete {name}?', { name })}
        verb={verb}
        open={isAsking}
        busy={removing.isPending}
        onConfirm={() => removing.mutate()}
        onClose={() => setAsking(false)}
      >
        {children}
      </Confirm>
    </>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { INCIDENTS, operationOf } from '../../../src/contract/subjects.ts'
import type { SubjectRef } from '../../../src/core/maintenance/subject-kind.ts'
import type { IncidentKind } from '../../../src/core/monitors/incidents/incident-kind.ts'
import { ask, question } from '../../data/ask.ts'
import { type EachDone, performEach } from '../../data/lists/perform-each.ts'
import { useTeam } from '../../data/session.ts'
import { aboutSearch } from '../../data/status-pages/post-search.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { EachRefused } from '../../parts/lists/each-refused.tsx'
import { MenuButton, MenuItem } from '../../parts/menu.tsx'
import { AcknowledgeForm } from './acknowledge-form.tsx'

/** An ongoing incident that nobody has, by the name of what it is about. */
export type ManyIncident = { kind: IncidentKind; id: number; name: string }

/** Acknowledges many incidents with one note; what is refused is told by name. */
export function AcknowledgeMany({
  count,
  read,
  onDone = () => {},
}: {
  count: number
  /** The incidents, read when the button is pressed. */
  read: () => Promise<ManyIncident[]>
  onDone?: () => void
}) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [isOpen, setOpen] = useState(false)
  const [end, setEnd] = useState<EachDone | null>(null)
  const [done, setDone] = useState(0)
  // As it was when the dialog was opened: the count falls while it works.
  const [all, setAll] = useState(count)
  const { mutate, isPending } = useMutation({
    mutationFn: async (note: string) =>
      performEach(
        await read(),
        ({ kind, id }) => ask(team, operationOf(INCIDENTS, kind, 'acknowledge*'), { id, body: { note } }),
        setDone,
      ),
    onSuccess(ended) {
      say.done(
        t('{count, plural, one {# incident acknowledged.} other {# incidents acknowledged.}}', {
          count: ended.done,
        }),
      )
      if (ended.refused.length > 0) return setEnd(ended)
      setOpen(false)
      onDone()
    },
    onError: say.problem,
    onSettled: () => void queries.invalidateQueries({ queryKey: [team] }),
  })

  function open() {
    setEnd(null)
    setDone(0)
    setAll(count)
    setOpen(true)
  }

  return (
    <>
      <Button size="small" tone="main" disabled={count === 0} onClick={open}>
        {t('Acknowledge')}
      </Button>
      <Dialog
        title={t('{count, plural, one {Acknowledge # incident} other {Acknowledge # incidents}}', {
          count: all,
        })}
        open={isOpen}
        onClose={() => isPending || setOpen(false)}
      >
        {end ? (
          <>
            <EachRefused end={end} />
            <div className="mt-5 flex justify-end">
              <Button
                tone="main"
                onClick={() => {
                  setOpen(false)
                  onDone()
                }}
              >
                {t('Close')}
              </Button>
            </div>
          </>
        ) : (
          <AcknowledgeForm
            about={t(
              'This stops reminders and escalation of each. Checks continue, and you still get alerts of the recoveries.',
            )}
            hint={t('The same for all of them.')}
            busy={isPending}
            progress={t('{done, number} of {all, number}', { done, all })}
            onCancel={() => setOpen(false)}
            onSend={mutate}
          />
        )}
      </Dialog>
    </>
  )
}

/** Leads to a new post of a status page, which proposes the components that show these subjects. */
export function PostAboutMany({ subjects }: { subjects: readonly SubjectRef[] }) {
  const { id } = useTeam()
  const navigate = useNavigate()
  const { data } = useQuery(question(id, 'listStatusPages', {}))
  if (!data || data.data.length === 0) return null
  return (
    <MenuButton button={<Button size="small">{t('Post about them')}</Button>}>
      {data.data.map((page) => (
        <MenuItem
          key={page.id}
          onSelect={() =>
            void navigate({
              to: '/teams/$team/status-pages/$page/posts/new',
              params: { team: String(id), page: String(page.id) },
              search: aboutSearch(subjects),
            })
          }
        >
          {page.name}
        </MenuItem>
      ))}
    </MenuButton>
  )
}

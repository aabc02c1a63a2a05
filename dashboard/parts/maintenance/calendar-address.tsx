import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { Confirm } from '../confirm.tsx'
import { Copyable } from '../copy.tsx'
import { useNotices } from '../feedback/notices.tsx'
import { Refused } from '../feedback/refused.tsx'
import { Panel, Waiting } from '../panel.tsx'

type Answer = { data: { url: string | null } }
type Act = 'create' | 'remove'

const QUESTIONS = {
  create: {
    title: t('Replace the calendar address?'),
    verb: t('Replace address'),
    done: t('New calendar address created.'),
  },
  remove: {
    title: t('Remove the calendar address?'),
    verb: t('Remove address'),
    done: t('Calendar address removed.'),
  },
} as const satisfies Record<Act, object>

/** A secret address of something as iCalendar: created, replaced and removed here. */
export function CalendarAddress<Key extends readonly unknown[]>({
  asked,
  change,
  about,
  children,
}: {
  /** The question about the address, null where there is none. */
  asked: Pick<UseQueryOptions<Answer, Error, Answer, Key>, 'queryKey' | 'queryFn'> & { queryKey: Key }
  change: Record<Act, () => Promise<unknown>>
  /** The content of the calendar, and its readers. */
  about: string
  /** The consequence for programs that have the old address. */
  children: ReactNode
}) {
  const { data, error } = useQuery(asked)
  const url = data?.data.url
  const say = useNotices()
  const queries = useQueryClient()
  const [asking, setAsking] = useState<Act | null>(null)
  const changing = useMutation({
    mutationFn: (act: Act) => change[act](),
    onSuccess: async (_, act) => {
      await queries.invalidateQueries({ queryKey: asked.queryKey })
      setAsking(null)
      say.done(QUESTIONS[act].done)
    },
  })
  return (
    <Panel title={t('Calendar feed')}>
      <div className="flex flex-col items-start gap-4 p-4">
        <p className="text-soft">{about}</p>
        <Refused error={error} />
        {url === undefined && !error && <Waiting lines={1} className="w-full p-0" />}
        {url && (
          <div className="w-full">
            <Copyable text={url} label={t('calendar address')} />
          </div>
        )}
        {url !== undefined && (
          <div className="flex flex-wrap gap-2">
            {url ? (
              <>
                <Button onClick={() => setAsking('create')}>{t('Replace address…')}</Button>
                <Button tone="danger" onClick={() => setAsking('remove')}>
                  {t('Remove address…')}
                </Button>
              </>
            ) : (
              <Button busy={changing.isPending} onClick={() => changing.mutate('create')}>
                {t('Create address')}
              </Button>
            )}
          </div>
        )}
        {asking === null && <Refused error={changing.error} />}
      </div>
      <Confirm
        title={asking ? QUESTIONS[asking].title : ''}
        verb={asking ? QUESTIONS[asking].verb : ''}
        open={asking !== null}
        busy={changing.isPending}
        onConfirm={() => asking && changing.mutate(asking)}
        onClose={() => setAsking(null)}
      >
        {children}
        <Refused error={changing.error} />
      </Confirm>
    </Panel>
  )
}

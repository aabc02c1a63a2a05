import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AskedState } from '../../../src/core/accounts/asked-address.ts'
import { MAX_PER_PAGE } from '../../../src/core/pagination.ts'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { MAX_SEARCH_LENGTH, type SubscriberRow } from '../../../src/core/status-pages/shown-post.ts'
import { useMail } from '../../data/account.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { componentsOf } from '../../forms/status-pages/post-fields.ts'
import { sayCount } from '../../language/count.ts'
import { rich, t } from '../../language/language.ts'
import { NoMail } from '../../parts/accounts/no-mail.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { TextField } from '../../parts/field.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Empty, Panel, Waiting } from '../../parts/panel.tsx'
import { Row, Rows, Tag } from '../../parts/rows.tsx'
import { Segments } from '../../parts/segments.tsx'
import { Since, Time } from '../../parts/time.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import { PageFrame } from './page-frame.tsx'

const STATES = [
  { value: 'all', label: t('All') },
  { value: 'confirmed', label: t('Confirmed') },
  { value: 'unconfirmed', label: t('Unconfirmed') },
  { value: 'refused', label: t('Refused') },
] as const

const STATE_WORDS = { unconfirmed: t('unconfirmed'), refused: t('refused') } as const

export default function StatusSubscribers() {
  return <PageFrame>{(page) => <Subscribers page={page} />}</PageFrame>
}

function Subscribers({ page }: { page: StatusPageDetail }) {
  const { id: team, may } = useTeam()
  const [state, setState] = useState<AskedState | 'all'>('all')
  const [at, setAt] = useState(1)
  const [search, setSearch] = useState('')
  const words = useSettled(search.trim())
  const hasMail = useMail()
  const { data, error } = useQuery({
    ...question(team, 'listStatusSubscribers', {
      id: page.id,
      query: {
        page: at,
        per_page: MAX_PER_PAGE,
        ...(state !== 'all' && { state }),
        ...(words !== '' && { search: words }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <Trouble error={error} within />
  const isNew = data?.meta.total === 0 && state === 'all' && search === ''
  return (
    <Panel
      title={data ? t('Subscribers ({count})', { count: sayCount(data.meta.total) }) : t('Subscribers')}
      actions={may('write') && <Export page={page} />}
    >
      {!hasMail && (
        <p className="px-4 pt-4">
          <NoMail />
        </p>
      )}
      {!isNew && (
        <search className="flex flex-wrap items-end gap-3 border-b border-line p-4">
          {may('write') && (
            <TextField
              label={t('Find by address')}
              type="search"
              className="min-w-52 flex-1"
              value={search}
              maxLength={MAX_SEARCH_LENGTH}
              onChange={({ target }) => {
                setSearch(target.value)
                setAt(1)
              }}
            />
          )}
          <Segments
            label={t('State')}
            value={state}
            options={STATES}
            onChoose={(next) => {
              setState(next)
              setAt(1)
            }}
          />
        </search>
      )}
      {!data ? (
        <Waiting lines={4} />
      ) : data.data.length === 0 && words !== '' ? (
        <p className="px-4 py-5 text-soft">{t('No matching subscribers.')}</p>
      ) : data.data.length === 0 ? (
        <Empty title={state === 'all' ? t('No subscribers yet') : t('None in this state')}>
          {page.fields.allows_subscribers
            ? t('Visitors subscribe on the page, by e-mail or webhook, and confirm it by a link.')
            : t('Visitors cannot subscribe. The settings of the page can allow it.')}
        </Empty>
      ) : (
        <>
          <Rows label={t('Subscribers')}>
            {data.data.map((subscriber) => (
              <Subscriber key={subscriber.id} page={page} subscriber={subscriber} />
            ))}
          </Rows>
          {data.meta.last_page > 1 && <Pages meta={data.meta} onPage={setAt} />}
        </>
      )}
    </Panel>
  )
}

function Subscriber({ page, subscriber }: { page: StatusPageDetail; subscriber: SubscriberRow }) {
  const { may } = useTeam()
  const { address, type, state, component_ids, created_at, confirmed_at, refused_at } = subscriber
  const names = new Map(componentsOf(page).map(({ component: { id, name } }) => [id, name]))
  return (
    <Row
      title={
        <>
          <span className="min-w-0 break-all">{address ?? t('Address hidden')}</span>
          <Tag>{type === 'email' ? t('e-mail') : t('webhook')}</Tag>
          {state !== 'confirmed' && <Tag>{STATE_WORDS[state]}</Tag>}
        </>
      }
      actions={may('write') && <Remove subscriber={subscriber} />}
    >
      <p className="break-words">
        {component_ids === null
          ? t('Everything on the page')
          : component_ids.map((id) => names.get(id) ?? t('a removed component')).join(', ')}
      </p>
      <p>
        {refused_at
          ? rich('The address has refused messages for {duration}', { duration: <Since at={refused_at} /> })
          : confirmed_at
            ? rich('Confirmed {time}', { time: <Time at={confirmed_at} /> })
            : rich('Subscribed {time}, not confirmed yet', { time: <Time at={created_at} /> })}
      </p>
    </Row>
  )
}

function Remove({ subscriber: { id, address } }: { subscriber: SubscriberRow }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => ask(team, 'removeStatusSubscriber', { id }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: [team, 'listStatusSubscribers'] })
      say.done(t('{address} removed.', { address }))
    },
    onError: say.problem,
  })
  return (
    <>
      <Button
        size="small"
        tone="danger"
        aria-label={t('Remove {address}', { address })}
        onClick={() => setAsking(true)}
      >
        {t('Remove')}
      </Button>
      <Confirm
        title={t('Remove this subscriber?')}
        verb={t('Remove subscriber')}
        open={isAsking}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('{address} is not notified of it, and can subscribe again.', { address })}
      </Confirm>
    </>
  )
}

function Export({ page }: { page: StatusPageDetail }) {
  const { id: team } = useTeam()
  const say = useNotices()
  const save = useMutation({
    mutationFn: () => ask(team, 'exportStatusSubscribers', { id: page.id }),
    onSuccess: ({ data: { csv } }) => {
      const address = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
      const link = document.createElement('a')
      link.href = address
      link.download = `subscribers-${page.slug}.csv`
      link.click()
      URL.revokeObjectURL(address)
    },
    onError: say.problem,
  })
  return (
    <Button size="small" busy={save.isPending} onClick={() => save.mutate()}>
      {t('Export CSV')}
    </Button>
  )
}

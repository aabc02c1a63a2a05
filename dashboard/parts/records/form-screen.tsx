import { useQueryClient } from '@tanstack/react-query'
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../button.tsx'
import { useNotices } from '../feedback/notices.tsx'
import { Trouble } from '../feedback/trouble.tsx'
import { Empty, PageHead, Panel, Waiting } from '../panel.tsx'

/** An address of the dashboard. */
export type Place = Pick<LinkProps, 'to' | 'params' | 'search'>

/** Something that a form needs to know: a question, or what is read out of several. */
type Asked = { data: unknown; error: Error | null }
type Answers<Needs> = {
  [Name in keyof Needs]: Needs[Name] extends { data: infer Data } ? NonNullable<Data> : never
}

/** A screen gives its form the way back beside its button, and the steps that follow once the record is saved. */
export type GivenForm<Saved> = { beside: ReactNode; onDone: (saved: Saved) => void }

/** The head of the screen. */
type Head = {
  title: string
  about?: ReactNode
  /** The width of the screen. */
  className?: string
}
type Words = {
  /** Where one came from, and what the way there is called for people who may not write. */
  back: Place
  view: string
  /** Says whom to ask, to people who may not write. */
  readOnly: string
  /** About as many as the form is high. */
  lines?: number
}

type Named = { id: number; name: string }

type New<Saved, Needs extends Record<string, Asked>> = Words & {
  needs: Needs
  /** How many records of the kind the plan allows. */
  limit?: {
    hasRoom: (known: Answers<Needs>) => boolean
    title: string
    about: (known: Answers<Needs>) => string
  }
  said?: (saved: Saved) => string
  to: (saved: Saved) => Place
  children: (known: Answers<Needs>, form: GivenForm<Saved>) => ReactNode
}

/** The screen of a new record. */
export function NewScreen<Saved, Needs extends Record<string, Asked>>({
  title,
  about,
  className,
  ...parts
}: Head & New<Saved, Needs>) {
  return (
    <div className={className}>
      <PageHead title={title}>{about}</PageHead>
      <NewRecord {...parts} />
    </div>
  )
}

/** The form of a new record, where the screen has a head already. */
export function NewRecord<Saved, Needs extends Record<string, Asked>>({
  needs,
  limit,
  said,
  to,
  children,
  ...words
}: New<Saved, Needs>) {
  const form = useGivenForm({ back: words.back, said, to })
  return (
    <ForWriters {...words} needs={needs}>
      {(known) => (
        <Limited
          hasRoom={limit?.hasRoom(known) ?? true}
          full={limit && <LimitReached {...words} title={limit.title} about={limit.about(known)} />}
        >
          {children(known, form)}
        </Limited>
      )}
    </ForWriters>
  )
}

/** The screen that changes a record, which leads back to the record. */
export function EditScreen<Saved extends Named, Needs extends Record<string, Asked>>({
  record,
  needs,
  children,
  title,
  about,
  className,
  ...words
}: Head &
  Words & {
    record: { data: { data: Saved } | undefined; error: Error | null }
    needs: Needs
    children: (record: Saved, known: Answers<Needs>, form: GivenForm<Saved>) => ReactNode
  }) {
  const form = useGivenForm<Saved>({
    back: words.back,
    said: ({ name }) => t('{name} saved.', { name }),
    to: () => words.back,
  })
  const all = { ...needs, record }
  const error = errorOf({ record, ...needs })
  if (error && !answersOf(all)) return <Trouble error={error} />
  const name = record.data?.data.name
  return (
    <div className={className}>
      <PageHead title={name === undefined ? title : t('Edit {name}', { name })}>{about}</PageHead>
      <ForWriters {...words} needs={all}>
        {(known) =>
          record.data && (
            <Fragment key={record.data.data.id}>{children(record.data.data, known, form)}</Fragment>
          )
        }
      </ForWriters>
    </div>
  )
}

function useGivenForm<Saved>({
  back,
  said,
  to,
}: {
  back: Place
  said: ((saved: Saved) => string) | undefined
  to: (saved: Saved) => Place
}): GivenForm<Saved> {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  return {
    beside: <Back to={back}>{t('Cancel')}</Back>,
    onDone(saved) {
      void queries.invalidateQueries({ queryKey: [team] })
      if (said) say.done(said(saved))
      void navigate(to(saved))
    },
  }
}

/** The part for people who may write, once all that it needs is there; others are told whom to ask. */
export function ForWriters<Needs extends Record<string, Asked>>({
  back,
  view,
  readOnly,
  lines,
  needs,
  children,
}: Words & { needs: Needs; children: (known: Answers<Needs>) => ReactNode }) {
  const { may } = useTeam()
  if (may('write')) {
    return (
      <Known needs={needs} lines={lines}>
        {children}
      </Known>
    )
  }
  return (
    <Panel>
      <Empty icon={Lock} title={t('You have read-only access')} action={<Back to={back}>{view}</Back>}>
        {readOnly}
      </Empty>
    </Panel>
  )
}

/** The children, once all that they need is there; the first error, or lines that wait, until then. */
function Known<Needs extends Record<string, Asked>>({
  needs,
  lines = 8,
  children,
}: {
  needs: Needs
  lines: number | undefined
  children: (known: Answers<Needs>) => ReactNode
}) {
  const known = answersOf(needs)
  const error = errorOf(needs)
  if (known) return children(known)
  if (error) return <Trouble error={error} within />
  return (
    <Panel>
      <Waiting lines={lines} />
    </Panel>
  )
}

function answersOf<Needs extends Record<string, Asked>>(needs: Needs): Answers<Needs> | null {
  const answers = Object.entries(needs).map(([name, { data }]) => [name, data] as const)
  return answers.some(([, data]) => data === undefined)
    ? null
    : (Object.fromEntries(answers) as Answers<Needs>)
}

function errorOf(needs: Record<string, Asked>): Error | null {
  return Object.values(needs).find(({ error }) => error)?.error ?? null
}

/** An open form stays: a colleague who takes the last place must not make typed input disappear. */
function Limited({ hasRoom, full, children }: { hasRoom: boolean; full: ReactNode; children: ReactNode }) {
  const [hadRoom] = useState(hasRoom)
  return hadRoom || hasRoom ? children : full
}

/** Says that the plan allows no more. */
export function LimitReached({
  title,
  about,
  back,
  view,
}: Pick<Words, 'back' | 'view'> & { title: string; about: string }) {
  return (
    <Panel>
      <Empty title={title} action={<Back to={back}>{view}</Back>}>
        {about}
      </Empty>
    </Panel>
  )
}

function Back({ to, children }: { to: Place; children: string }) {
  return (
    <Link {...to} className={buttonLook('quiet')}>
      {children}
    </Link>
  )
}

/** An answer from before this screen does not count: the plan's last free place may be taken by now. */
export function asFetched<Data>(query: { data: Data; error: Error | null; isFetchedAfterMount: boolean }) {
  return { data: query.isFetchedAfterMount ? query.data : undefined, error: query.error }
}

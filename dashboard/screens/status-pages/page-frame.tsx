import { Link, useLocation, useParams } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { VISIBILITY_WORDS } from '../../parts/status-pages/page-words.ts'
import { PublishedMark } from '../../parts/status-pages/published-mark.tsx'
import { useChangePage, usePage } from '../../parts/status-pages/use-page.ts'

const PLACES = [
  { to: '/teams/$team/status-pages/$page', label: t('Components') },
  { to: '/teams/$team/status-pages/$page/posts', label: t('Posts') },
  { to: '/teams/$team/status-pages/$page/subscribers', label: t('Subscribers') },
  { to: '/teams/$team/status-pages/$page/settings', label: t('Settings') },
] as const

/** Frame for the screens about one status page. */
export function PageFrame({
  title,
  children,
}: {
  /** The title of a screen behind one of the tabs. */
  title?: string
  children: (page: StatusPageDetail) => ReactNode
}) {
  const named = useNamedPage()
  const { data, error } = usePage(named)
  if (error && !data) return <Trouble error={error} />
  if (!data) {
    return (
      <Panel>
        <Waiting lines={8} />
      </Panel>
    )
  }
  const page = data.data
  return (
    <>
      <Head page={page} title={title} />
      <Places page={page} />
      <div key={page.id} className="flex flex-col gap-5">
        {children(page)}
      </div>
    </>
  )
}

export function useNamedPage(): number {
  return Number(useParams({ strict: false }).page)
}

function Head({ page, title }: { page: StatusPageDetail; title: string | undefined }) {
  const { may } = useTeam()
  const { pathname } = useLocation()
  const place = PLACES.find(({ to }) => pathname.endsWith(to.split('$page')[1] || `/${page.id}`))
  return (
    <PageHead
      title={page.name}
      tab={`${title ?? place?.label ?? t('Status page')} · ${page.name}`}
      actions={
        <>
          <a
            href={page.is_published ? page.url : `/status/${page.slug}`}
            target="_blank"
            rel="noreferrer"
            className={buttonLook('plain')}
          >
            <ExternalLink aria-hidden size={16} />
            {t('Open page')}
          </a>
          {may('write') && (page.is_published ? <Unpublish page={page} /> : <Publish page={page} />)}
        </>
      }
    >
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <PublishedMark isPublished={page.is_published} />
        <span>{VISIBILITY_WORDS[page.visibility]}</span>
        <span className="break-all">{page.url}</span>
      </span>
    </PageHead>
  )
}

function Places({ page }: { page: StatusPageDetail }) {
  const { id } = useTeam()
  return (
    <nav aria-label={t('Status page')} className="mb-5 flex flex-wrap gap-x-1 border-b border-line">
      {PLACES.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          params={{ team: String(id), page: String(page.id) }}
          activeOptions={{ exact: to.endsWith('$page'), includeSearch: false }}
          className="-mb-px flex h-10 items-center border-b-2 border-transparent px-1.5 text-soft sm:px-3 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

function Publish({ page }: { page: StatusPageDetail }) {
  const { id: team } = useTeam()
  const say = useNotices()
  const publish = useChangePage(t('{name} published.', { name: page.name }))
  return (
    <Button
      tone="main"
      busy={publish.isPending}
      onClick={() =>
        publish.mutate(() => ask(team, 'publishStatusPage', { id: page.id }), { onError: say.problem })
      }
    >
      {t('Publish')}
    </Button>
  )
}

function Unpublish({ page }: { page: StatusPageDetail }) {
  const { id: team } = useTeam()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const unpublish = useChangePage(t('{name} is no longer public.', { name: page.name }), () =>
    setAsking(false),
  )
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('Unpublish…')}</Button>
      <Confirm
        title={t('Take {name} off?', { name: page.name })}
        verb={t('Unpublish')}
        open={isAsking}
        busy={unpublish.isPending}
        onConfirm={() =>
          unpublish.mutate(() => ask(team, 'unpublishStatusPage', { id: page.id }), { onError: say.problem })
        }
        onClose={() => setAsking(false)}
      >
        {t(
          'Visitors find nothing at its addresses until you publish it again. Its posts and subscribers stay.',
        )}
      </Confirm>
    </>
  )
}

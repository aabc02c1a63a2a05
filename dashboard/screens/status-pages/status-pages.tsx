import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import type { StatusPageLimits, StatusPageRow } from '../../../src/core/status-pages/shown-page.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'
import { Row, Rows, Tag } from '../../parts/rows.tsx'
import { VISIBILITY_WORDS } from '../../parts/status-pages/page-words.ts'
import { PublishedMark } from '../../parts/status-pages/published-mark.tsx'

export default function StatusPages() {
  const { id, may } = useTeam()
  const pages = useQuery(question(id, 'listStatusPages', {}))
  const add = may('write') && (
    <Link to="/teams/$team/status-pages/new" params={{ team: String(id) }} className={buttonLook('main')}>
      {t('New page')}
    </Link>
  )
  return (
    <>
      <PageHead
        title={t('Status pages')}
        actions={
          <>
            <Link
              to="/teams/$team/status-pages/templates"
              params={{ team: String(id) }}
              className={buttonLook('plain')}
            >
              {t('Post templates')}
            </Link>
            {add}
          </>
        }
      >
        {t('Tell your users whether everything works, and what you are doing about it.')}
      </PageHead>
      <Panel>
        <Answered answer={pages} lines={4} isWhole>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty icon={Megaphone} title={t('No status pages yet')} action={add}>
                {may('write')
                  ? t(
                      'Name a page, choose the monitors that stand on it, and publish it: your users see at one address whether everything works, and you tell them what you are doing about it.',
                    )
                  : t('An owner or admin of this team can make one.')}
              </Empty>
            ) : (
              <>
                <Rows label={t('Status pages')}>
                  {data.map((page) => (
                    <PageRow key={page.id} page={page} />
                  ))}
                </Rows>
                <Limits limits={meta} />
              </>
            )
          }
        </Answered>
      </Panel>
    </>
  )
}

function PageRow({ page }: { page: StatusPageRow }) {
  const { id } = useTeam()
  const { component_count: components, domains } = page
  return (
    <Row
      title={
        <>
          <Link
            to="/teams/$team/status-pages/$page"
            params={{ team: String(id), page: String(page.id) }}
            className="min-w-0 py-1 break-words hover:underline"
          >
            {page.name}
          </Link>
          <span className="flex text-sm font-normal">
            <PublishedMark isPublished={page.is_published} />
          </span>
          <Tag>{VISIBILITY_WORDS[page.visibility]}</Tag>
        </>
      }
    >
      <p className="break-all">{page.url}</p>
      <p className="break-words">
        {domains.length === 0
          ? t('{count, plural, one {# component} other {# components}}', { count: components })
          : t(
              '{count, plural, one {# component} other {# components}}, {domains, plural, one {own domain} other {own domains}} {names}',
              { count: components, domains: domains.length, names: domains.join(', ') },
            )}
      </p>
    </Row>
  )
}

function Limits({ limits: { pages, max_pages, domains, max_domains } }: { limits: StatusPageLimits }) {
  if (max_pages === null && max_domains === null) return null
  const of = (count: number, max: number | null) =>
    max === null ? sayCount(count) : t('{used} of {total}', { used: sayCount(count), total: sayCount(max) })
  return (
    <p className="border-t border-line px-4 py-2.5 text-sm text-soft">
      {t('{pages} pages and {domains} own domains of your plan are in use.', {
        pages: of(pages, max_pages),
        domains: of(domains, max_domains),
      })}
    </p>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import type { PostState, StatusPostRow } from '../../../src/core/status-pages/shown-post.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Empty, Panel, Waiting } from '../../parts/panel.tsx'
import { Row, Rows, Tag } from '../../parts/rows.tsx'
import { PhaseBadge } from '../../parts/status-pages/phase-badge.tsx'
import { PostTimes } from '../../parts/status-pages/post-times.tsx'
import { PageFrame } from './page-frame.tsx'

export default function StatusPosts() {
  return <PageFrame>{(page) => <Posts page={page} />}</PageFrame>
}

function Posts({ page }: { page: StatusPageDetail }) {
  const { may } = useTeam()
  return (
    <>
      {may('write') && <NewPostLinks page={page.id} />}
      <PostList page={page.id} state="draft" title={t('Drafts')} />
      <PostList
        page={page.id}
        state="active"
        title={t('Active')}
        empty={
          <Empty title={t('Nothing is going on')}>
            {t(
              'A post tells visitors and subscribers about an incident or planned maintenance, in your words.',
            )}
          </Empty>
        }
      />
      <PostList page={page.id} state="over" title={t('Past')} />
    </>
  )
}

function NewPostLinks({ page }: { page: number }) {
  const { id } = useTeam()
  const params = { team: String(id), page: String(page) }
  return (
    <div className="flex flex-wrap gap-2">
      <Link to="/teams/$team/status-pages/$page/posts/new" params={params} className={buttonLook('main')}>
        {t('Report incident')}
      </Link>
      <Link
        to="/teams/$team/status-pages/$page/posts/new"
        params={params}
        search={{ kind: 'maintenance' }}
        className={buttonLook('plain')}
      >
        {t('Plan maintenance')}
      </Link>
    </div>
  )
}

/** Posts of a state, newest first; not there without any, unless it says something then. */
function PostList({
  page,
  state,
  title,
  empty,
}: {
  page: number
  state: PostState
  title: string
  empty?: ReactNode
}) {
  const { id: team } = useTeam()
  const [at, setAt] = useState(1)
  const { data, error } = useQuery({
    ...question(team, 'listStatusPosts', { id: page, query: { state, page: at } }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <Trouble error={error} within />
  if (data?.data.length === 0 && at === 1 && !empty) return null
  return (
    <Panel title={title}>
      {!data ? (
        <Waiting lines={2} />
      ) : data.data.length === 0 ? (
        empty
      ) : (
        <>
          <Rows label={title}>
            {data.data.map((post) => (
              <PostRow key={post.id} page={page} post={post} />
            ))}
          </Rows>
          {data.meta.last_page > 1 && <Pages meta={data.meta} onPage={setAt} />}
        </>
      )}
    </Panel>
  )
}

function PostRow({ page, post }: { page: number; post: StatusPostRow }) {
  const { id } = useTeam()
  return (
    <Row
      title={
        <>
          <Link
            to="/teams/$team/status-pages/$page/posts/$post"
            params={{ team: String(id), page: String(page), post: String(post.id) }}
            className="min-w-0 py-1 break-words hover:underline"
          >
            <bdi>{post.title}</bdi>
          </Link>
          <PhaseBadge post={post} />
          {post.is_automatic && <Tag>{t('automatic')}</Tag>}
        </>
      }
    >
      <PostTimes post={post} saysEnd />
    </Row>
  )
}

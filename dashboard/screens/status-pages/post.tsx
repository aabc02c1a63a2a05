import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { PostPhase } from '../../../src/core/status-pages/post.ts'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import type { StatusPostDetail } from '../../../src/core/status-pages/shown-post.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { Panel, Waiting } from '../../parts/panel.tsx'
import { Tag } from '../../parts/rows.tsx'
import { PhaseBadge } from '../../parts/status-pages/phase-badge.tsx'
import { PostTimes } from '../../parts/status-pages/post-times.tsx'
import { PageFrame } from './page-frame.tsx'
import { PostActions } from './post-actions.tsx'
import { PostUpdateNew, PostUpdates } from './post-updates.tsx'

/** The counts of messages on their way are asked for again: no news announces each that is sent. */
const REFRESH_MS = 2_000

/** The phases that change at their times. */
const PLANNED: ReadonlySet<PostPhase> = new Set(['scheduled', 'in_progress'])

export default function StatusPostScreen() {
  return <PageFrame title={t('Post')}>{(page) => <Post page={page} />}</PageFrame>
}

function Post({ page }: { page: StatusPageDetail }) {
  const { id: team, may } = useTeam()
  const { post: named } = useParams({ from: '/signed-in/teams/$team/status-pages/$page/posts/$post' })
  const { data, error } = useQuery({
    ...question(team, 'getStatusPost', { id: Number(named) }),
    refetchInterval: ({ state }) => isSending(state.data?.data) && REFRESH_MS,
  })
  if (error && !data) return <Trouble error={error} within />
  if (!data) {
    return (
      <Panel>
        <Waiting lines={6} />
      </Panel>
    )
  }
  const post = data.data
  return (
    <div key={post.id} className="flex flex-col gap-5">
      <section aria-labelledby="post" className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id="post" className="text-xl font-semibold break-words">
            <bdi>{post.title}</bdi>
          </h2>
          <About page={page} post={post} />
        </div>
        {may('write') && <PostActions page={page} post={post} />}
      </section>
      {may('write') && <PostUpdateNew page={page} post={post} />}
      <PostUpdates page={page} post={post} />
    </div>
  )
}

function isSending(post: StatusPostDetail | undefined): boolean {
  return post?.updates.some(({ notices }) => notices.pending > 0) === true
}

function About({ page, post }: { page: StatusPageDetail; post: StatusPostDetail }) {
  const { id } = useTeam()
  const window = { team: String(id), window: String(post.window?.id) }
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-soft">
      {post.is_draft ? <Tag>{t('Draft')}</Tag> : <PhaseBadge post={post} />}
      <span>
        <PostTimes post={post} />.
      </span>
      {post.incident_id !== null && (
        <Link
          to="/teams/$team/incidents/$incident"
          params={{ team: String(id), incident: String(post.incident_id) }}
          className="underline"
        >
          {t('The incident of the monitor')}
        </Link>
      )}
      {post.window && (
        <span>
          {rich(
            post.follows_window
              ? 'Its times are those of <link>{name}</link>.'
              : 'About <link>{name}</link>.',
            {
              name: post.window.name,
              link: (inside) => (
                <Link to="/teams/$team/maintenance/$window" params={window} className="underline">
                  {inside}
                </Link>
              ),
            },
          )}
        </span>
      )}
      {!post.is_draft && (
        <a href={`${page.url}/posts/${post.id}`} target="_blank" rel="noreferrer" className="underline">
          {t('On the page')}
        </a>
      )}
      {post.kind === 'maintenance' && !post.is_draft && PLANNED.has(post.phase) && (
        <span>{t('Upbeat says when it begins and ends.')}</span>
      )}
      {post.is_automatic && <span>{t('Written by Upbeat, which goes on with it until you change it.')}</span>}
    </p>
  )
}

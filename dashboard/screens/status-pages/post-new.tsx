import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import type { PostKind } from '../../../src/core/status-pages/post.ts'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import type { PostProposal } from '../../../src/core/status-pages/shown-post.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { aboutOf } from '../../data/status-pages/post-search.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { judgePost, newPostDraft, POST_NAMES } from '../../forms/status-pages/post-fields.ts'
import { PostTitleFields } from '../../forms/status-pages/post-title-fields.tsx'
import { TemplatePicker } from '../../forms/status-pages/template-picker.tsx'
import { UpdateFields } from '../../forms/status-pages/update-fields.tsx'
import { useForm } from '../../forms/use-form.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Tick } from '../../parts/field.tsx'
import { Empty, Panel, Waiting } from '../../parts/panel.tsx'
import { PageFrame } from './page-frame.tsx'
import { PostFromWindow } from './post-from-window.tsx'

export default function StatusPostNew() {
  const search = useSearch({ from: '/signed-in/teams/$team/status-pages/$page/posts/new' })
  return (
    <PageFrame title={t('New post')}>
      {(page) => <NewPost page={page} kind={search.kind ?? 'incident'} about={aboutOf(search)} />}
    </PageFrame>
  )
}

type Begun = {
  page: StatusPageDetail
  kind: PostKind
  /** Those whose incidents the post is about. */
  about: ReturnType<typeof aboutOf>
}

function NewPost(begun: Begun) {
  const { may, name } = useTeam()
  if (may('write')) {
    return (
      <div className="flex max-w-3xl flex-col gap-5">
        {begun.kind === 'maintenance' && <PostFromWindow page={begun.page} />}
        {begun.about === null ? (
          <PostForm key={begun.kind} {...begun} />
        ) : (
          <PostAboutSubjects {...begun} about={begun.about} />
        )}
      </div>
    )
  }
  return (
    <Panel>
      <Empty icon={Lock} title={t('You have read-only access')}>
        {t('Ask an owner or admin of {name} to write it.', { name })}
      </Empty>
    </Panel>
  )
}

/** Filled from the incidents of some subjects; a question that fails leaves the form empty. */
function PostAboutSubjects({ page, kind, about }: Begun & { about: NonNullable<Begun['about']> }) {
  const { id: team } = useTeam()
  const { data, isPending } = useQuery(question(team, 'proposeStatusPost', { id: page.id, query: about }))
  if (isPending) {
    return (
      <Panel>
        <Waiting lines={8} />
      </Panel>
    )
  }
  return <PostForm page={page} kind={kind} proposal={data?.data} />
}

function PostForm({ page, kind, proposal }: Omit<Begun, 'about'> & { proposal?: PostProposal | undefined }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const [initial] = useState(() => newPostDraft(kind, proposal))
  const params = { team: String(team), page: String(page.id) }
  const form = useForm({
    initial,
    names: POST_NAMES,
    judge: (draft) => judgePost(kind, draft),
    send: async (body: NonNullable<Parameters<typeof ask<'createStatusPost'>>[2]['body']>) =>
      (await ask(team, 'createStatusPost', { id: page.id, body })).data,
    onDone: (post) => {
      void queries.invalidateQueries({ queryKey: [team, 'listStatusPosts'] })
      say.done(post.is_draft ? t('The draft is saved.') : t('The post is published.'))
      const to = '/teams/$team/status-pages/$page/posts/$post'
      void navigate({ to, params: { ...params, post: String(post.id) } })
    },
  })
  return (
    <FormFrame
      form={form}
      verb={form.draft.is_draft === true ? t('Save draft') : t('Publish post')}
      beside={
        <Link to="/teams/$team/status-pages/$page/posts" params={params} className={buttonLook('quiet')}>
          {t('Cancel')}
        </Link>
      }
    >
      <Panel title={kind === 'incident' ? t('New incident') : t('New maintenance')}>
        <div className="flex flex-col gap-4 p-4">
          <PostTitleFields kind={kind} form={form} />
          <UpdateFields
            team={team}
            page={page}
            kind={kind}
            form={form}
            beside={<TemplatePicker team={team} page={page} kind={kind} form={form} />}
          />
          <Tick
            label={t('Keep it as a draft')}
            hint={t('Only the team sees it until it is published.')}
            checked={form.draft.is_draft === true}
            onChange={({ target }) => form.set('is_draft', target.checked)}
          />
        </div>
      </Panel>
    </FormFrame>
  )
}

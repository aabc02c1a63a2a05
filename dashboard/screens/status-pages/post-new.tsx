import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { PostKind } from '../../../src/core/status-pages/post.ts'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import type { PostProposal, StatusPostDetail } from '../../../src/core/status-pages/shown-post.ts'
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
import { Tick } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type GivenForm, NewRecord } from '../../parts/records/form-screen.tsx'
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

function NewPost({ page, kind, about }: Begun) {
  const { id: team, name } = useTeam()
  const params = { team: String(team), page: String(page.id) }
  return (
    <NewRecord
      back={{ to: '/teams/$team/status-pages/$page/posts', params }}
      view={t('View posts')}
      readOnly={t('Ask an owner or admin of {name} to write it.', { name })}
      needs={{ begun: useProposal(page.id, about) }}
      said={(post: StatusPostDetail) =>
        post.is_draft ? t('The draft is saved.') : t('The post is published.')
      }
      to={(post) => ({
        to: '/teams/$team/status-pages/$page/posts/$post',
        params: { ...params, post: String(post.id) },
      })}
    >
      {({ begun }, form) => (
        <div className="flex max-w-3xl flex-col gap-5">
          {kind === 'maintenance' && <PostFromWindow page={page} />}
          <PostForm key={kind} page={page} kind={kind} {...begun} {...form} />
        </div>
      )}
    </NewRecord>
  )
}

/** Filled from the incidents of some subjects; a question that fails leaves the form empty. */
function useProposal(page: number, about: Begun['about']) {
  const { id: team } = useTeam()
  const isAsked = about !== null
  const { data, isPending } = useQuery({
    ...question(team, 'proposeStatusPost', { id: page, query: about ?? {} }),
    enabled: isAsked,
  })
  // The form asks the same about no subject: that answer fills nothing by itself.
  if (!isAsked) return { data: { proposal: undefined }, error: null }
  return { data: isPending ? undefined : { proposal: data?.data }, error: null }
}

function PostForm({
  page,
  kind,
  proposal,
  beside,
  onDone,
}: Omit<Begun, 'about'> & { proposal: PostProposal | undefined } & GivenForm<StatusPostDetail>) {
  const { id: team } = useTeam()
  const [initial] = useState(() => newPostDraft(kind, proposal))
  const form = useForm({
    initial,
    names: POST_NAMES,
    judge: (draft) => judgePost(kind, draft),
    send: async (body: NonNullable<Parameters<typeof ask<'createStatusPost'>>[2]['body']>) =>
      (await ask(team, 'createStatusPost', { id: page.id, body })).data,
    onDone,
  })
  return (
    <FormFrame
      form={form}
      verb={form.draft.is_draft === true ? t('Save draft') : t('Publish post')}
      beside={beside}
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

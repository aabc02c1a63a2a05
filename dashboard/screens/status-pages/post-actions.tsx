import { useState } from 'react'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import type { StatusPostDetail } from '../../../src/core/status-pages/shown-post.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { localTimeOf, readerZone } from '../../data/zone-time.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { judgeTitle } from '../../forms/status-pages/post-fields.ts'
import { PostTitleFields } from '../../forms/status-pages/post-title-fields.tsx'
import { useForm } from '../../forms/use-form.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Tick } from '../../parts/field.tsx'
import { DeleteButton } from '../../parts/records/record-buttons.tsx'
import { useChangePost } from '../../parts/status-pages/use-post.ts'

type Of = { post: StatusPostDetail }

export function PostActions({ page, post }: Of & { page: StatusPageDetail }) {
  const [isEditing, setEditing] = useState(false)
  const edit = post.kind === 'incident' ? t('Edit title') : t('Edit title and times')
  return (
    <div className="flex flex-wrap gap-2">
      {post.is_draft && <Publish post={post} />}
      <Button onClick={() => setEditing(true)}>{edit}</Button>
      <Delete page={page} post={post} />
      <Dialog title={edit} open={isEditing} onClose={() => setEditing(false)}>
        <TitleForm post={post} onDone={() => setEditing(false)} />
      </Dialog>
    </div>
  )
}

function Publish({ post }: Of) {
  const { id: team } = useTeam()
  const [isAsking, setAsking] = useState(false)
  const [notifies, setNotifies] = useState(true)
  const publish = useChangePost(t('The post is published.'), () => setAsking(false))
  return (
    <>
      <Button tone="main" onClick={() => setAsking(true)}>
        {t('Publish…')}
      </Button>
      <Dialog title={t('Publish this draft?')} open={isAsking} onClose={() => setAsking(false)}>
        <div className="flex flex-col gap-4">
          <Tick
            label={t('Notify subscribers')}
            hint={t('By e-mail and webhook. Feeds have it either way.')}
            checked={notifies}
            onChange={({ target }) => setNotifies(target.checked)}
          />
          <Refused error={publish.error} />
          <div className="flex justify-end gap-2">
            <Button onClick={() => setAsking(false)}>{t('Cancel')}</Button>
            <Button
              tone="main"
              busy={publish.isPending}
              onClick={() =>
                publish.mutate(() => ask(team, 'publishStatusPost', { id: post.id, body: { notifies } }))
              }
            >
              {t('Publish')}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}

function TitleForm({ post, onDone }: Of & { onDone: () => void }) {
  const { id: team } = useTeam()
  const change = useChangePost(t('The post is saved.'), onDone)
  const local = (at: string | null) => (at === null ? '' : localTimeOf(new Date(at), readerZone()))
  const [initial] = useState(() => ({
    title: post.title,
    scheduled_for: local(post.scheduled_for),
    scheduled_until: local(post.scheduled_until),
  }))
  const form = useForm({
    initial,
    names: Object.keys(initial),
    judge: (draft) => judgeTitle(post.kind, draft),
    send: (body: NonNullable<Parameters<typeof ask<'updateStatusPost'>>[2]['body']>) =>
      change.mutateAsync(() => ask(team, 'updateStatusPost', { id: post.id, body })),
    onDone: () => {},
  })
  return (
    <FormFrame
      form={form}
      verb={t('Save')}
      guarded={false}
      className="flex flex-col gap-4"
      beside={<Button onClick={onDone}>{t('Cancel')}</Button>}
    >
      <PostTitleFields kind={post.kind} form={form} />
    </FormFrame>
  )
}

function Delete({ page, post: { id, title } }: Of & { page: StatusPageDetail }) {
  const { id: team } = useTeam()
  return (
    <DeleteButton
      of="StatusPost"
      record={{ id, name: title }}
      size="usual"
      title={t('Delete this post?')}
      verb={t('Delete post')}
      about={t(
        'It leaves the page and its history with all updates. Subscribers keep the messages that they have.',
      )}
      to={{
        to: '/teams/$team/status-pages/$page/posts',
        params: { team: String(team), page: String(page.id) },
      }}
    />
  )
}

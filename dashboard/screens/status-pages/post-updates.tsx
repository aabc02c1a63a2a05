import { useState } from 'react'
import type { PostKind } from '../../../src/core/status-pages/post.ts'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import type {
  NoticeCounts,
  ShownUpdate,
  StatusPostDetail,
} from '../../../src/core/status-pages/shown-post.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import {
  componentsOf,
  judgeUpdate,
  judgeUpdatePatch,
  POST_NAMES,
  pairsOf,
  updateDraft,
} from '../../forms/status-pages/post-fields.ts'
import { TemplatePicker } from '../../forms/status-pages/template-picker.tsx'
import { UpdateFields } from '../../forms/status-pages/update-fields.tsx'
import { useForm } from '../../forms/use-form.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useUndo } from '../../parts/records/use-undo.ts'
import { PHASE_WORDS } from '../../parts/status-pages/post-words.ts'
import { RenderedText } from '../../parts/status-pages/rendered-text.tsx'
import { STATE_WORDS } from '../../parts/status-pages/state-words.ts'
import { useChangePost } from '../../parts/status-pages/use-post.ts'
import { Time } from '../../parts/time.tsx'

type Of = { page: StatusPageDetail; post: StatusPostDetail }
type UpdateBody = NonNullable<Parameters<typeof ask<'addStatusUpdate'>>[2]['body']>
type UpdatePatch = NonNullable<Parameters<typeof ask<'editStatusUpdate'>>[2]['body']>

/** The next update, which begins with what the latest one says is affected. */
export function PostUpdateNew({ page, post }: Of) {
  const [isOpen, setOpen] = useState(false)
  if (!isOpen) {
    return (
      <Button tone={post.is_draft ? 'plain' : 'main'} className="self-start" onClick={() => setOpen(true)}>
        {t('Add update')}
      </Button>
    )
  }
  return <NewUpdateForm page={page} post={post} onClose={() => setOpen(false)} />
}

function NewUpdateForm({ page, post, onClose }: Of & { onClose: () => void }) {
  const { id: team } = useTeam()
  const [initial] = useState(() => ({
    ...updateDraft(post.phase),
    impacts: pairsOf(post.updates[0]?.impacts ?? []),
  }))
  const add = useChangePost(
    post.is_draft ? t('The update is saved.') : t('The update is published.'),
    onClose,
  )
  const form = useForm({
    initial,
    names: POST_NAMES,
    judge: (draft) => judgeUpdate(post.kind, draft),
    send: (body: UpdateBody) => add.mutateAsync(() => ask(team, 'addStatusUpdate', { id: post.id, body })),
    onDone: () => {},
  })
  return (
    <Panel title={t('New update')}>
      <FormFrame
        form={form}
        verb={post.is_draft ? t('Save update') : t('Publish update')}
        className="flex flex-col gap-4 p-4"
        onCancel={onClose}
      >
        <UpdateFields
          team={team}
          page={page}
          kind={post.kind}
          form={form}
          notifies={!post.is_draft}
          beside={<TemplatePicker team={team} page={page} kind={post.kind} form={form} />}
        />
      </FormFrame>
    </Panel>
  )
}

export function PostUpdates({ page, post }: Of) {
  return (
    <Panel title={t('Updates')}>
      <ol className="divide-y divide-line">
        {post.updates.map((update) => (
          <Update
            key={update.id}
            page={page}
            kind={post.kind}
            update={update}
            isOnly={post.updates.length === 1}
          />
        ))}
      </ol>
    </Panel>
  )
}

type OfUpdate = { page: StatusPageDetail; kind: PostKind; update: ShownUpdate }

function Update({ isOnly, ...rest }: OfUpdate & { isOnly: boolean }) {
  const { page, update } = rest
  const { may } = useTeam()
  const [isEditing, setEditing] = useState(false)
  const names = new Map(componentsOf(page).map(({ component: { id, name } }) => [id, name]))
  const word = PHASE_WORDS[update.phase]
  if (isEditing) {
    return (
      <li>
        <EditForm {...rest} onClose={() => setEditing(false)} />
      </li>
    )
  }
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{word}</span>
        <span className="text-sm text-soft">
          {update.edited_at ? (
            rich('{time}, edited {edited}', {
              time: <Time at={update.at} as="date" />,
              edited: <Time at={update.edited_at} />,
            })
          ) : (
            <Time at={update.at} as="date" />
          )}
        </span>
        {may('write') && (
          <span className="ml-auto flex gap-2">
            <Button size="small" aria-label={t('Edit {word}', { word })} onClick={() => setEditing(true)}>
              {t('Edit')}
            </Button>
            {!isOnly && <DeleteUpdate update={update} />}
          </span>
        )}
      </div>
      {update.html === null ? (
        <p className="break-words whitespace-pre-line">{update.body}</p>
      ) : (
        <RenderedText html={update.html} />
      )}
      {update.impacts.length > 0 && (
        <p className="text-sm break-words text-soft">
          {update.impacts
            .map(({ component_id: id, state }) => `${names.get(id) ?? id}: ${STATE_WORDS[state]}`)
            .join(', ')}
        </p>
      )}
      <Notices notices={update.notices} />
    </li>
  )
}

function Notices({ notices: { sent, pending, failed } }: { notices: NoticeCounts }) {
  if (sent + pending + failed === 0) return null
  return (
    <p className="text-sm text-soft">
      {t(
        'Subscribers: {sent, number} notified{pending, plural, =0 {} other {, # waiting}}{failed, plural, =0 {} other {, # failed}}.',
        { sent, pending, failed },
      )}
    </p>
  )
}

function EditForm({ page, kind, update, onClose }: OfUpdate & { onClose: () => void }) {
  const { id: team } = useTeam()
  const [initial] = useState(() => updateDraft(update.phase, update))
  const edit = useChangePost(t('The update is saved.'), onClose)
  const form = useForm({
    initial,
    names: POST_NAMES,
    judge: (draft) => judgeUpdatePatch(kind, draft, update),
    send: (body: UpdatePatch) =>
      edit.mutateAsync(() => ask(team, 'editStatusUpdate', { id: update.id, body })),
    onDone: () => {},
  })
  return (
    <FormFrame form={form} verb={t('Save update')} className="flex flex-col gap-4 p-4" onCancel={onClose}>
      <UpdateFields team={team} page={page} kind={kind} form={form} notifies={false} />
      <p className="text-sm text-soft">{t('Subscribers are not notified of a change.')}</p>
    </FormFrame>
  )
}

function DeleteUpdate({ update }: { update: ShownUpdate }) {
  const { id: team } = useTeam()
  const [isAsking, setAsking] = useState(false)
  const undo = useUndo({ of: 'StatusUpdate' })
  const remove = useChangePost(t('The update is deleted.'), () => setAsking(false), undo([update.id]))
  return (
    <>
      <Button
        size="small"
        tone="danger"
        aria-label={t('Delete {word}', { word: PHASE_WORDS[update.phase] })}
        onClick={() => setAsking(true)}
      >
        {t('Delete')}
      </Button>
      <Confirm
        title={t('Delete this update?')}
        verb={t('Delete update')}
        open={isAsking}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(() => ask(team, 'deleteStatusUpdate', { id: update.id }))}
        onClose={() => setAsking(false)}
      >
        {t('The post says what its other updates say.')}
        <Refused error={remove.error} />
      </Confirm>
    </>
  )
}

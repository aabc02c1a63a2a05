import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PostPhase, PostTemplate } from '../../../src/core/status-pages/post.ts'
import type { ShownTemplate } from '../../../src/core/status-pages/shown-post.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { controlsOf } from '../../forms/controls.ts'
import { draftOf, readDraft } from '../../forms/draft.ts'
import { FieldOf } from '../../forms/field-of.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { saveRecord } from '../../forms/record-parts.ts'
import { MarkdownField } from '../../forms/status-pages/markdown-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'
import { useAskFirst, useRecordAction } from '../../parts/records/record-action.tsx'
import { useUndo } from '../../parts/records/use-undo.ts'
import { Row, Rows, Tag } from '../../parts/rows.tsx'
import { PHASE_WORDS } from '../../parts/status-pages/post-words.ts'

const CONTROLS = controlsOf(PostTemplate)
const NAMES = Object.keys(CONTROLS)

/** Templates of posts, for all pages of the team. */
export default function StatusTemplates() {
  const { id, may } = useTeam()
  const templates = useQuery(question(id, 'listStatusTemplates', {}))
  const [edited, setEdited] = useState<number | 'new' | null>(null)
  const close = () => setEdited(null)
  return (
    <>
      <PageHead
        title={t('Post templates')}
        actions={
          may('write') &&
          edited !== 'new' && (
            <Button tone="main" onClick={() => setEdited('new')}>
              {t('New template')}
            </Button>
          )
        }
      >
        {t('Words that are ready when something breaks, for every status page of the team.')}
      </PageHead>
      <div className="flex flex-col gap-5">
        {edited === 'new' && (
          <Panel title={t('New template')}>
            <TemplateForm onClose={close} />
          </Panel>
        )}
        <Panel>
          <Answered answer={templates} isWhole>
            {({ data }) =>
              data.length === 0 ? (
                <Empty title={t('No templates yet')}>
                  {t(
                    'A template fills title, phase and text of a post. Pages can use one for the posts that they publish by themselves.',
                  )}
                </Empty>
              ) : (
                <Rows label={t('Post templates')}>
                  {data.map((template) =>
                    edited === template.id ? (
                      <li key={template.id}>
                        <TemplateForm template={template} onClose={close} />
                      </li>
                    ) : (
                      <TemplateRow
                        key={template.id}
                        template={template}
                        onEdit={() => setEdited(template.id)}
                      />
                    ),
                  )}
                </Rows>
              )
            }
          </Answered>
        </Panel>
      </div>
    </>
  )
}

function TemplateRow({ template, onEdit }: { template: ShownTemplate; onEdit: () => void }) {
  const { may } = useTeam()
  return (
    <Row
      title={
        <>
          <span className="min-w-0 break-words">{template.name}</span>
          <Tag>{PHASE_WORDS[template.phase]}</Tag>
        </>
      }
      actions={
        may('write') && (
          <>
            <Button size="small" aria-label={t('Edit {name}', { name: template.name })} onClick={onEdit}>
              {t('Edit')}
            </Button>
            <Delete template={template} />
          </>
        )
      }
    >
      <p className="break-words">{template.title}</p>
    </Row>
  )
}

function TemplateForm({ template, onClose }: { template?: ShownTemplate; onClose: () => void }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [initial] = useState(() => draftOf(CONTROLS, template ?? { phase: 'investigating' }))
  const form = useForm({
    initial,
    names: NAMES,
    judge: (draft) => parseFields(PostTemplate, readDraft(CONTROLS, draft, NAMES)),
    send: (body: PostTemplate) => saveRecord(team, 'StatusTemplate', template, body),
    onDone: ({ name }) => {
      void queries.invalidateQueries({ queryKey: [team, 'listStatusTemplates'] })
      say.done(t('{name} saved.', { name }))
      onClose()
    },
  })
  return (
    <FormFrame form={form} verb={t('Save template')} className="flex flex-col gap-4 p-4" onCancel={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        <FieldOf name="name" control={CONTROLS.name} text={{ label: t('Name') }} form={form} />
        <SelectField
          label={t('Phase')}
          value={String(form.draft.phase)}
          faults={form.faults('phase')}
          onChange={({ target }) => form.set('phase', target.value)}
        >
          {PostPhase.options.map((phase) => (
            <option key={phase} value={phase}>
              {PHASE_WORDS[phase]}
            </option>
          ))}
        </SelectField>
      </div>
      <FieldOf
        name="title"
        control={CONTROLS.title}
        text={{ label: t('Title'), hint: t('{component}, {page} and {time} are filled in.') }}
        form={form}
      />
      <MarkdownField
        team={team}
        label={t('Text')}
        name="body"
        hint={t('Markdown. {component}, {page} and {time} are filled in.')}
        form={form}
      />
    </FormFrame>
  )
}

function Delete({ template: { id, name } }: { template: ShownTemplate }) {
  const { id: team } = useTeam()
  const undo = useUndo({ of: 'StatusTemplate' })
  const removal = useRecordAction(() => ask(team, 'deleteStatusTemplate', { id }), {
    said: () => t('{name} deleted.', { name }),
    undo: () => undo([id]),
  })
  const remove = useAskFirst(removal, {
    title: t('Remove {name}?', { name }),
    verb: t('Remove template'),
    about: t('Posts that were written with it stay. Pages that use it go back to their own text.'),
  })
  return (
    <>
      <Button size="small" tone="danger" aria-label={t('Remove {name}', { name })} onClick={remove.ask}>
        {t('Remove')}
      </Button>
      {remove.question}
    </>
  )
}

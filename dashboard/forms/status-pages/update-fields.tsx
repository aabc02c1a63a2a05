import type { ReactNode } from 'react'
import { type PostKind, phasesOf } from '../../../src/core/status-pages/post.ts'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { t } from '../../language/language.ts'
import { SelectField, TextField, Tick } from '../../parts/field.tsx'
import { PHASE_WORDS } from '../../parts/status-pages/post-words.ts'
import type { Form } from '../use-form.ts'
import { ImpactFields } from './impact-fields.tsx'
import { MarkdownField } from './markdown-field.tsx'

/** The fields of an update: its phase, its text, what is affected, when, and whether subscribers are told. */
export function UpdateFields({
  team,
  page,
  kind,
  form,
  notifies = true,
  beside,
}: {
  team: number
  page: StatusPageDetail
  kind: PostKind
  form: Form
  /** False where nobody is told in any case. */
  notifies?: boolean
  /** Beside the phase. */
  beside?: ReactNode
}) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t('Phase')}
          value={String(form.draft.phase)}
          faults={form.faults('phase')}
          onChange={({ target }) => form.set('phase', target.value)}
        >
          {phasesOf(kind).map((phase) => (
            <option key={phase} value={phase}>
              {PHASE_WORDS[phase]}
            </option>
          ))}
        </SelectField>
        {beside}
      </div>
      <MarkdownField team={team} label={t('Text')} name="body" form={form} />
      <ImpactFields team={team} page={page} kind={kind} form={form} />
      <TextField
        label={t('Time')}
        hint={t('Empty: now. An earlier time back-dates it.')}
        type="datetime-local"
        className="max-w-xs"
        value={String(form.draft.at)}
        faults={form.faults('at')}
        onChange={({ target }) => form.set('at', target.value)}
        onBlur={() => form.leave('at')}
      />
      {notifies && (
        <Tick
          label={t('Notify subscribers')}
          hint={t('By e-mail and webhook, once it is published. Feeds have it either way.')}
          checked={form.draft.notifies === true}
          onChange={({ target }) => form.set('notifies', target.checked)}
        />
      )}
    </>
  )
}

import { type ReactNode, useState } from 'react'
import type { SubjectName, WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { KIND_ENTRIES, SUBJECT_KINDS, type SubjectRef } from '../../../src/core/maintenance/subject-kind.ts'
import { splitTags } from '../../../src/core/tags/tag-text.ts'
import { t } from '../../language/language.ts'
import { ChoiceCards } from '../../parts/choice-cards.tsx'
import { Field, INPUT_LOOK, TextField, Tick } from '../../parts/field.tsx'
import { readerHere } from '../../parts/maintenance/reader.ts'
import { Panel } from '../../parts/panel.tsx'
import { AmountField, type Units } from '../amount-field.tsx'
import type { Controls } from '../controls.ts'
import { FieldOf } from '../field-of.tsx'
import { FormFrame } from '../form-frame.tsx'
import { recordParts } from '../record-parts.ts'
import { SubjectPicker } from '../subject-picker.tsx'
import { SubjectTags } from '../tags/subject-tags.tsx'
import { type Form, useForm } from '../use-form.ts'
import { ZoneField } from '../zone-field.tsx'
import { DayList } from './day-list.tsx'
import { inFormWords } from './fault-words.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { RepeatBuilder } from './repeat-builder.tsx'
import { usePreview } from './use-preview.ts'
import {
  judgeWindow,
  newWindowDraft,
  WINDOW_CONTROLS,
  WINDOW_NAMES,
  type WindowKind,
  windowDraft,
} from './window-fields.ts'
import { KIND_CARDS, WINDOW_TEXTS } from './window-texts.ts'

const UNITS = { minutes: 1, hours: 60, days: 1_440 } as const

/** The form of a new or an existing window, with what it would do beside it. */
export function WindowForm({
  team,
  window,
  subject,
  beside,
  onDone,
}: {
  team: number
  window?: WindowDetail
  /** Chosen to begin with. */
  subject?: SubjectRef & SubjectName
  beside?: ReactNode
  onDone: (window: WindowDetail) => void
}) {
  const [kind, setKind] = useState<WindowKind>(window?.kind ?? 'one_off')
  const [initial] = useState(() => (window ? windowDraft(window) : newWindowDraft(new Date(), subject)))
  const names = WINDOW_NAMES[kind]
  const form = useForm(
    recordParts({
      team,
      of: 'MaintenanceWindow',
      record: window,
      query: readerHere(),
      initial,
      names,
      judge: (draft) => judgeWindow(kind, draft, window),
      controls: controlsNamed(names),
      draftOf: windowDraft,
      labelOf: (name) => WINDOW_TEXTS[name as keyof typeof WINDOW_TEXTS]?.label ?? name,
      onDone,
    }),
  )
  const preview = usePreview(team, kind, form.draft)
  // Faults of several fields together show as soon as the service has found them.
  const shown: Form = {
    ...form,
    faults: (name) =>
      (form.faults(name) ?? preview.faults[name])?.map((fault) =>
        inFormWords(fault, WINDOW_TEXTS, form.draft.time_zone),
      ),
  }

  return (
    <FormFrame form={form} verb={window ? t('Save changes') : t('Create window')} beside={beside}>
      {!window && (
        <ChoiceCards legend={t('When is it?')} cards={KIND_CARDS} value={kind} onChoose={setKind} />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Panel title={t('About')}>
            <div className="flex flex-col gap-4 p-4">
              <FieldNamed name="name" form={shown} />
              <Note form={shown} />
              <Tick
                {...WINDOW_TEXTS.shows_on_pages}
                checked={form.draft.shows_on_pages === true}
                onChange={({ target }) => form.set('shows_on_pages', target.checked)}
              />
              {form.draft.shows_on_pages === true && <FieldNamed name="public_name" form={shown} />}
            </div>
          </Panel>
          <Panel title={kind === 'switch' ? t('Switch') : t('Time')}>
            <div className="flex flex-col gap-4 p-4">
              <Times kind={kind} form={shown} />
            </div>
          </Panel>
          <Panel title={t('Monitors, servers and sites')}>
            <div className="flex flex-col gap-4 p-4">
              <Tick
                {...WINDOW_TEXTS.all_subjects}
                checked={form.draft.all_subjects === true}
                onChange={({ target }) => form.set('all_subjects', target.checked)}
              />
              {form.draft.all_subjects !== true && (
                <>
                  <SubjectTags team={team} form={shown} {...WINDOW_TEXTS.tags} />
                  {splitTags(String(form.draft.tags)).length === 0 &&
                    SUBJECT_KINDS.map((one) => (
                      <SubjectPicker
                        key={one}
                        kind={one}
                        team={team}
                        form={shown}
                        named={window?.[`${one}s`] ?? (subject?.kind === one ? [subject] : [])}
                        max={KIND_ENTRIES[one].maxInWindow}
                      />
                    ))}
                </>
              )}
            </div>
          </Panel>
        </div>
        <PreviewPanel preview={preview} isSwitch={kind === 'switch'} />
      </div>
    </FormFrame>
  )
}

function Times({ kind, form }: { kind: WindowKind; form: Form }) {
  switch (kind) {
    case 'one_off':
      return (
        <>
          <div className="grid gap-3 sm:grid-cols-2">
            <LocalTimeField name="starts_at" form={form} />
            <LocalTimeField name="ends_at" form={form} />
          </div>
          <ZoneField form={form} />
        </>
      )
    case 'recurring':
      return (
        <>
          <div className="grid gap-3 sm:grid-cols-2">
            <LocalTimeField name="local_start" form={form} />
            <MinutesField name="duration_minutes" units={UNITS} form={form} />
          </div>
          <ZoneField form={form} />
          <RepeatBuilder form={form} faults={form.faults('rule')} />
          <DayList form={form} />
        </>
      )
    case 'switch':
      return (
        <>
          <MinutesField name="max_minutes" units={{ minutes: 1, hours: 60 }} form={form} />
          <FieldNamed name="ends_when_passing" form={form} />
        </>
      )
  }
}

function LocalTimeField({ name, form }: { name: 'starts_at' | 'ends_at' | 'local_start'; form: Form }) {
  return (
    <TextField
      {...WINDOW_TEXTS[name]}
      faults={form.faults(name)}
      type="datetime-local"
      value={String(form.draft[name])}
      onChange={({ target }) => form.set(name, target.value)}
      onBlur={() => form.leave(name)}
    />
  )
}

function MinutesField({
  name,
  units,
  form,
}: {
  name: 'duration_minutes' | 'max_minutes'
  units: Units
  form: Form
}) {
  return (
    <AmountField
      {...WINDOW_TEXTS[name]}
      units={units}
      value={String(form.draft[name])}
      faults={form.faults(name)}
      onGive={(value) => form.set(name, value)}
      onLeave={() => form.leave(name)}
    />
  )
}

function FieldNamed({ name, form }: { name: keyof typeof WINDOW_TEXTS; form: Form }) {
  const control = WINDOW_CONTROLS[name]
  return control && <FieldOf name={name} control={control} text={WINDOW_TEXTS[name]} form={form} />
}

function Note({ form }: { form: Form }) {
  return (
    <Field {...WINDOW_TEXTS.note} faults={form.faults('note')}>
      {(wired) => (
        <textarea
          {...wired}
          rows={2}
          value={String(form.draft.note)}
          onChange={({ target }) => form.set('note', target.value)}
          onBlur={() => form.leave('note')}
          className={`${INPUT_LOOK} py-2`}
        />
      )}
    </Field>
  )
}

function controlsNamed(names: readonly string[]): Controls {
  return Object.fromEntries(
    names.flatMap((name) => (WINDOW_CONTROLS[name] ? [[name, WINDOW_CONTROLS[name]]] : [])),
  )
}

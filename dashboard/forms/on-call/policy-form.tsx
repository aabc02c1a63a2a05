import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import { type EscalationPolicy, MAX_REPEATS, MAX_STEPS } from '../../../src/core/on-call/policy.ts'
import { MAX_SELECTORS } from '../../../src/core/tags/selector.ts'
import { splitTags } from '../../../src/core/tags/tag-text.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TagInput } from '../../parts/tags/tag-input.tsx'
import type { Draft } from '../draft.ts'
import { FormFrame } from '../form-frame.tsx'
import { recordParts } from '../record-parts.ts'
import { type Form, useForm } from '../use-form.ts'
import { DryRunPanel } from './dry-run-panel.tsx'
import { judgePolicy, nextStep, POLICY_CONTROLS, POLICY_NAMES, policyDraft, stepsIn } from './policy-draft.ts'
import { POLICY_LABELS, policyWord } from './policy-words.ts'
import { type ScheduleName, StepField } from './step-field.tsx'

const REPEATS = Array.from({ length: MAX_REPEATS + 1 }, (_, count) => count)

/** The form of a new or an existing escalation policy, with a dry run of what is filled in. */
export function PolicyForm({
  team,
  policy,
  contacts,
  schedules,
  beside,
  onDone,
}: {
  team: number
  policy?: EscalationPolicy
  contacts: Contact[]
  schedules: ScheduleName[]
  beside?: ReactNode
  onDone: (policy: EscalationPolicy) => void
}) {
  const [initial] = useState(() => policyDraft(policy))
  const form = useForm(
    recordParts({
      team,
      of: 'EscalationPolicy',
      record: policy,
      initial,
      names: POLICY_NAMES,
      wordOf: policyWord,
      judge: judgePolicy,
      controls: POLICY_CONTROLS,
      draftOf: policyDraft,
      labelOf: (name) => POLICY_LABELS[name as keyof typeof POLICY_LABELS] ?? name,
      say: saySteps,
      onDone,
    }),
  )
  const judged = judgePolicy(form.draft)
  return (
    <FormFrame form={form} verb={policy ? t('Save changes') : t('Create policy')} beside={beside}>
      <Panel>
        <div className="flex flex-col gap-4 p-4">
          <TextField
            label={POLICY_LABELS.name}
            hint={t('For example “Production, day and night”.')}
            faults={form.faults('name')}
            value={String(form.draft.name)}
            onChange={({ target }) => form.set('name', target.value)}
            onBlur={() => form.leave('name')}
            autoComplete="off"
          />
          <TagInput
            team={team}
            label={t('Also applies to these tags')}
            tags={splitTags(String(form.draft.tags))}
            hint={t(
              'For monitors, servers and sites that have all of these tags and no policy of their own. Up to {max} tags.',
              { max: MAX_SELECTORS },
            )}
            faults={form.faults('tags')}
            onChange={(tags) => form.set('tags', tags.join(', '))}
            onLeave={() => form.leave('tags')}
          />
        </div>
      </Panel>
      <Steps form={form} contacts={contacts} schedules={schedules} />
      <Repeats form={form} />
      <DryRunPanel team={team} chain={judged.ok ? judged.value : null} />
    </FormFrame>
  )
}

function Steps({
  form,
  contacts,
  schedules,
}: {
  form: Form
  contacts: Contact[]
  schedules: ScheduleName[]
}) {
  const steps = stepsIn(form.draft)
  const give = (next: typeof steps) => form.set('steps', JSON.stringify(next))
  return (
    <Panel title={t('Steps')}>
      <p className="border-b border-line px-4 py-3 text-soft">
        {t(
          'The contacts of the monitor, server or site are alerted first. Then, until someone acknowledges:',
        )}
      </p>
      <ol className="divide-y divide-line">
        {steps.map((step, place) => (
          <li key={step.id}>
            <StepField
              {...{ place, step, form, contacts, schedules }}
              isOnly={steps.length === 1}
              onChange={(next) => give(steps.map((one) => (one.id === next.id ? next : one)))}
              onRemove={() => give(steps.filter((one) => one.id !== step.id))}
            />
          </li>
        ))}
      </ol>
      <div className="border-t border-line p-4">
        <Button disabled={steps.length >= MAX_STEPS} onClick={() => give([...steps, nextStep(steps)])}>
          <Plus aria-hidden size={16} />
          {t('Add step')}
        </Button>
      </div>
    </Panel>
  )
}

function Repeats({ form }: { form: Form }) {
  const repeats = String(form.draft.repeats)
  return (
    <Panel title={t('Repeat')}>
      <div className="grid items-start gap-4 p-4 sm:grid-cols-2">
        <SelectField
          label={POLICY_LABELS.repeats}
          faults={form.faults('repeats')}
          value={repeats}
          onChange={({ target }) => form.set('repeats', target.value)}
        >
          {REPEATS.map((count) => (
            <option key={count} value={count}>
              {t('{count, plural, =0 {Never} one {Once} other {# times}}', { count })}
            </option>
          ))}
        </SelectField>
        {repeats !== '0' && (
          <TextField
            label={POLICY_LABELS.repeat_every_minutes}
            hint={t('Minutes from the start of one round to the next.')}
            faults={form.faults('repeat_every_minutes')}
            value={String(form.draft.repeat_every_minutes)}
            onChange={({ target }) => form.set('repeat_every_minutes', target.value)}
            onBlur={() => form.leave('repeat_every_minutes')}
            inputMode="numeric"
            autoComplete="off"
          />
        )}
      </div>
    </Panel>
  )
}

function saySteps(name: string, draft: Draft): string | undefined {
  if (name !== 'steps') return undefined
  return t('{count, plural, one {# step} other {# steps}}', { count: stepsIn(draft).length })
}

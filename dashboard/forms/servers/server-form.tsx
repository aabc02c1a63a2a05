import { type ReactNode, useState } from 'react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import type { AppliedPolicy } from '../../../src/core/on-call/policy.ts'
import type { ServerDetail } from '../../../src/core/servers/shown-server.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { AlertedPanel } from '../alerted-panel.tsx'
import { useBesides } from '../beside.ts'
import { sayContacts } from '../contact-ticks.tsx'
import { idsIn } from '../draft.ts'
import { FieldOf, type FieldText } from '../field-of.tsx'
import { FormFrame } from '../form-frame.tsx'
import { usePolicyBeside } from '../on-call/policy-beside.ts'
import { recordParts } from '../record-parts.ts'
import { tagsBeside } from '../tags/tags-beside.ts'
import { TagsField } from '../tags/tags-field.tsx'
import { type Form, useForm } from '../use-form.ts'
import {
  defaultLines,
  isChanged,
  judgePatch,
  KINDS,
  type Kind,
  LEVEL_WORDS,
  type LevelName,
  SERVER_CONTROLS,
  SERVER_NAMES,
  sayLevel,
  serverDraft,
} from './server-fields.ts'
import { ThresholdTable } from './threshold-table.tsx'

const TEXTS = {
  name: { label: t('Name'), hint: t('Shown in the list and in alerts.') },
  contact_ids: { label: t('Contacts to alert') },
  is_active: {
    label: t('Accept reports and judge them'),
    hint: t('When off, the server is paused: reports are refused, and there are no alerts.'),
  },
} as const satisfies Record<string, FieldText>

/** The settings of a server. It sends only what was changed. */
export function ServerForm({
  team,
  server,
  policy,
  contacts,
  beside,
  onDone,
}: {
  team: number
  server: ServerDetail
  policy: AppliedPolicy
  contacts: Contact[]
  beside?: ReactNode
  onDone: (server: ServerDetail) => void
}) {
  const [initial] = useState(() => serverDraft(server.settings))
  const parts = recordParts({
    team,
    of: 'Server',
    record: server,
    initial,
    names: SERVER_NAMES,
    judge: (draft, before) => judgePatch(before, draft),
    controls: SERVER_CONTROLS,
    draftOf: ({ settings }) => serverDraft(settings),
    labelOf,
    say: (name, draft) => (name === 'contact_ids' ? sayContacts(idsIn(draft[name]), contacts) : undefined),
    onDone,
  })
  const form = useForm(
    useBesides(parts, server, [
      tagsBeside(team, 'server', server, server.tags),
      usePolicyBeside(team, 'server', policy),
    ]),
  )
  return (
    <FormFrame form={form} verb={t('Save changes')} beside={beside}>
      <Panel>
        <div className="flex flex-col gap-4 p-4">
          <FieldNamed name="name" form={form} />
          <FieldNamed name="is_active" form={form} />
          <TagsField team={team} form={form} />
        </div>
      </Panel>
      <AlertedPanel
        label={TEXTS.contact_ids.label}
        name="contact_ids"
        team={team}
        {...{ contacts, policy, form }}
      />
      <Panel title={t('Thresholds')} actions={<ResetAll form={form} />}>
        <p className="border-b border-line px-4 py-3 text-sm text-soft">
          {t(
            'A condition begins when its value stays beyond “{enter}” for the given minutes, and ends when it stays beyond “{leave}” for as long. A value that hovers around a limit therefore alerts only once. A condition that only warns makes the server degraded, not down.',
            { enter: LEVEL_WORDS.enter, leave: LEVEL_WORDS.leave },
          )}
        </p>
        <ThresholdTable form={form} hosted={server.hosted} />
      </Panel>
    </FormFrame>
  )
}

function FieldNamed({ name, form }: { name: 'name' | 'is_active'; form: Form }) {
  const control = SERVER_CONTROLS[name]
  return control && <FieldOf name={name} control={control} text={TEXTS[name]} form={form} />
}

function ResetAll({ form }: { form: Form }) {
  const isAny = KINDS.some((kind) => isChanged(kind, form.draft))
  return (
    <Button
      size="small"
      disabled={!isAny}
      onClick={() => {
        for (const [path, held] of Object.entries(defaultLines())) form.set(path, held)
      }}
    >
      {t('Reset to defaults')}
    </Button>
  )
}

function labelOf(name: string): string {
  const [, kind, level] = name.split('.')
  if (kind === undefined) return TEXTS[name as keyof typeof TEXTS]?.label ?? name
  return sayLevel(kind as Kind, level as LevelName)
}

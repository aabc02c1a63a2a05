import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Contact } from '../../src/core/alerting/contact.ts'
import { said } from '../../src/core/language/said.ts'
import {
  type Monitor,
  MonitorCreate,
  MonitorPatch,
  type MonitorType,
} from '../../src/core/monitors/monitor.ts'
import { createRules, patchRules } from '../../src/core/monitors/monitor-rules.ts'
import { hasInterval, MONITOR_TYPES, neededSettings } from '../../src/core/monitors/monitor-types.ts'
import { type MonitorNotes, NO_NOTES } from '../../src/core/monitors/notes.ts'
import { completeUrl, nameOf } from '../../src/core/monitors/target.ts'
import type { AppliedPolicy } from '../../src/core/on-call/policy.ts'
import type { Team } from '../../src/core/teams/team.ts'
import { cut, MAX_NAME_LENGTH } from '../../src/core/text.ts'
import { broken, type Parsed, parseFields } from '../../src/core/validation.ts'
import { ask } from '../data/ask.ts'
import { t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { useNotices } from '../parts/feedback/notices.tsx'
import { Panel } from '../parts/panel.tsx'
import { AlertedPanel } from './alerted-panel.tsx'
import { useBesides } from './beside.ts'
import { sayContacts } from './contact-ticks.tsx'
import { changedNames, type Draft, draftOf, idsIn, readDraft, repeatedName } from './draft.ts'
import { FieldOf } from './field-of.tsx'
import { FormFrame } from './form-frame.tsx'
import { IntervalField } from './interval-field.tsx'
import {
  fieldsOf,
  MONITOR_CONTROLS,
  MONITOR_FIELDS,
  type MonitorField,
  shortestMinutes,
  textOf,
} from './monitor-fields.ts'
import { FoldedFields } from './monitors/folded-fields.tsx'
import {
  judgeNotes,
  NOTES_CONTROLS,
  NOTES_NAMES,
  NOTES_TEXTS,
  NotesFields,
} from './monitors/notes-fields.tsx'
import {
  changedOptions,
  isOptionField,
  newOptions,
  OPTION_CONTROLS,
  optionFieldsOf,
  optionTextOf,
  optionValues,
  setOptions,
} from './monitors/option-draft.ts'
import { NeededFields, OptionGroups } from './monitors/option-fields.tsx'
import { TrialPanel, useTrial } from './monitors/trial.tsx'
import { TypeChoice } from './monitors/type-choice.tsx'
import { POLICY, usePolicyBeside } from './on-call/policy-beside.ts'
import { plainOffer } from './plain-offer.tsx'
import { latestOf, saveRecord } from './record-parts.ts'
import { contextOf } from './rule-context.ts'
import { TAGS, tagsBeside } from './tags/tags-beside.ts'
import { TagsField } from './tags/tags-field.tsx'
import { portOf } from './target.ts'
import { type Form, type FormParts, useForm } from './use-form.ts'

const CONTACTS = 'notification_contact_ids'
const FORM_CONTROLS = { ...MONITOR_CONTROLS, ...NOTES_CONTROLS, ...OPTION_CONTROLS }
const AGAIN = 'again'
/** A new monitor has none, even where the form begins with those of another. */
const NOTHING_NOTED = draftOf(NOTES_CONTROLS)

/** Values that belong to one monitor alone: the next one begins without them. */
const OF_ONE: readonly string[] = ['url', 'name', 'port', ...NOTES_NAMES]

/** How the form of one more monitor begins. */
export type Begun = { type: MonitorType; draft: Draft }

type Body = { monitor: MonitorCreate | MonitorPatch; notes: MonitorNotes | null }

/** The form of a new or an existing monitor. For an existing one it sends only changed fields. */
export function MonitorForm({
  monitor,
  copied,
  notes = NO_NOTES,
  tags = [],
  policy,
  begun,
  first = 'http',
  team,
  contacts,
  beside,
  onType,
  onDone,
  onAgain,
}: {
  monitor?: Monitor
  /** The monitor that a new one begins as a copy of. */
  copied?: Monitor
  notes?: MonitorNotes
  tags?: readonly string[]
  /** The policy of an existing monitor. */
  policy?: AppliedPolicy
  /** The values of the monitor that was added before this one. */
  begun?: Begun | undefined
  /** The type that a new monitor begins with. */
  first?: MonitorType | undefined
  team: Team
  contacts: Contact[]
  beside?: ReactNode
  /** Told the type that is chosen. */
  onType?: (type: MonitorType) => void
  onDone: (monitor: Monitor) => void
  /** Offers to add another one at once. */
  onAgain?: (monitor: Monitor, begun: Begun) => void
}) {
  const say = useNotices()
  const isAgain = useRef(false)
  const [initial] = useState(() =>
    begun ? nextDraft(begun.draft) : initialDraft(monitor ?? copied, team, notes, copied, first),
  )
  const [type, setType] = useState<MonitorType>((monitor ?? copied ?? begun)?.type ?? first)
  useEffect(() => onType?.(type), [type, onType])
  const names = fieldsOf(type)
  const parts: FormParts<Body, Monitor> = {
    initial,
    names: [...names, ...NOTES_NAMES, ...optionFieldsOf(type)],
    judge: (draft, before) =>
      both(
        monitor
          ? judgePatch(changed(names, before, draft, type), { draft, before }, type, team)
          : judgeNew(newBody(draft, names, type), draft, team),
        judgeNotes(draft, monitor ? before : NOTHING_NOTED),
      ),
    latest:
      monitor &&
      latestOf(monitor, {
        team: team.id,
        of: 'Monitor',
        controls: FORM_CONTROLS,
        draftOf: async (latest) =>
          initialDraft(latest, team, (await ask(team.id, 'getMonitorNotes', { id: latest.id })).data),
        labelOf: (name) => labelOf(name, type),
        say: (name, draft) => (name === CONTACTS ? sayContacts(idsIn(draft[name]), contacts) : undefined),
        changedBy: ['replaceMonitor', 'toggleMonitor', 'updateMonitorNotes'],
      }),
    send: async (body) => {
      const saved = await saveRecord(team.id, 'Monitor', monitor, body.monitor)
      const told = body.notes && ask(team.id, 'updateMonitorNotes', { id: saved.id, body: body.notes })
      // The monitor is there already: sending the form again would make another one.
      if (monitor) await told
      else await told?.catch(say.problem)
      return saved
    },
    onDone: (saved) =>
      isAgain.current && onAgain ? onAgain(saved, { type, draft: form.draft }) : onDone(saved),
  }
  const tagged = begun?.draft[TAGS]
  const form = useForm(
    useBesides(parts, monitor, [
      tagsBeside(team.id, 'monitor', monitor, tagged === undefined ? tags : [String(tagged)]),
      usePolicyBeside(team.id, 'monitor', policy, begun?.draft[POLICY]),
    ]),
  )

  const trial = useTrial(team.id)

  /** Keeps the usual interval of the type until the person picks one: no nightly job pings every minute. */
  function choose(next: MonitorType) {
    const isUsual =
      form.draft.check_interval_minutes === initial.check_interval_minutes &&
      form.draft.check_interval_seconds === usualSeconds(type)
    if (isUsual) form.set('check_interval_seconds', usualSeconds(next))
    setType(next)
  }

  function completeTarget() {
    const url = completeUrl(type, String(form.draft.url))
    form.set('url', url)
    if (names.includes('port') && form.draft.port === '') form.set('port', portOf(url))
  }

  /** Enter in a field presses the first button, as browsers do. */
  function submit(event: FormEvent) {
    const { submitter } = event.nativeEvent as SubmitEvent
    isAgain.current = submitter?.getAttribute('name') === AGAIN
    form.submit(event)
  }

  function test() {
    if (!form.isSound) return form.reveal()
    const body = { ...newBody(form.draft, names, type), monitor_id: monitor?.id ?? null }
    trial.mutate({ body, type, draft: form.draft })
  }

  const fieldOf = (name: MonitorField) => (
    <FieldOf
      key={name}
      name={name}
      control={MONITOR_CONTROLS[name]}
      text={name === 'url' ? urlText(type, form) : fieldText(name, type, { monitor, copied }, form.draft)}
      form={form}
      {...(name === 'url' && { onLeave: completeTarget })}
      autoFocus={!monitor && name === firstOf(names)}
    />
  )
  const at = (place: 'first' | 'more') => names.filter((name) => textOf(name, type).place === place)

  return (
    <FormFrame
      form={{ ...form, submit }}
      verb={monitor ? t('Save changes') : t('Add monitor')}
      beside={
        <>
          {onAgain && (
            <Button type="submit" name={AGAIN} busy={form.busy}>
              {t('Save and add another')}
            </Button>
          )}
          {MONITOR_TYPES[type].isProbed && (
            <Button busy={trial.isPending} onClick={test}>
              {t('Test')}
            </Button>
          )}
          {beside}
        </>
      }
    >
      {!monitor && <TypeChoice legend={MONITOR_FIELDS.type.label} value={type} onChoose={choose} />}
      <Panel>
        <div className="flex flex-col gap-4 p-4">
          {at('first').map(fieldOf)}
          <NeededFields type={type} form={form} self={monitor?.id} />
          {hasInterval(type) && <IntervalField key={type} type={type} form={form} team={team} />}
          <TagsField team={team.id} form={form} />
        </div>
      </Panel>
      <AlertedPanel
        label={MONITOR_FIELDS[CONTACTS].label}
        name={CONTACTS}
        team={team.id}
        {...{ contacts, policy, form }}
      />
      <NotesFields form={form} />
      <OptionGroups type={type} form={form} self={monitor?.id} />
      <FoldedFields
        title={t('More settings')}
        names={at('more')}
        form={form}
        opened={copied?.has_password === true}
      >
        {at('more').map(fieldOf)}
      </FoldedFields>
      <TrialPanel trial={trial} type={type} form={form} onPlain={(url) => form.set('url', url)} />
    </FormFrame>
  )
}

/** The field that somebody who opens the form types first: the address, or the name of what has none. */
function firstOf(names: readonly MonitorField[]): MonitorField | undefined {
  return names.includes('url') ? 'url' : names[0]
}

function nextDraft(draft: Draft): Draft {
  return { ...draft, ...Object.fromEntries(OF_ONE.map((name) => [name, ''])) }
}

/** The usual interval of a type in seconds, as text; empty if it is in minutes. */
function usualSeconds(type: MonitorType): string {
  return String(MONITOR_TYPES[type].usualIntervalSeconds ?? '')
}

function initialDraft(
  monitor: Monitor | undefined,
  team: Team,
  notes: MonitorNotes,
  copied?: Monitor,
  type: MonitorType = 'http',
): Draft {
  if (!monitor) {
    const minutes = shortestMinutes(team.min_interval_minutes)
    const options = optionValues(null)
    const { usualIntervalSeconds: check_interval_seconds } = MONITOR_TYPES[type]
    const interval = { check_interval_minutes: minutes, check_interval_seconds }
    return draftOf(FORM_CONTROLS, { type, ...interval, ...notes, ...options })
  }
  const ids = monitor.notification_contacts.map(({ id }) => id).sort((a, b) => a - b)
  const name = copied ? cut(t('Copy of {name}', { name: monitor.name }), MAX_NAME_LENGTH) : monitor.name
  const options = optionValues(monitor.options)
  return draftOf(FORM_CONTROLS, { ...monitor, ...notes, ...options, name, [CONTACTS]: ids })
}

function labelOf(name: string, type: MonitorType): string {
  if (isNotesName(name)) return NOTES_TEXTS[name].label
  return (isOptionField(name) ? optionTextOf(name, type) : textOf(name as MonitorField, type)).label
}

function fieldText(
  name: MonitorField,
  type: MonitorType,
  { monitor, copied }: { monitor: Monitor | undefined; copied: Monitor | undefined },
  draft: Draft,
) {
  const text = textOf(name, type)
  if (name === 'name' && !monitor && MONITOR_TYPES[type].url) {
    return {
      ...text,
      placeholder: givenName(draft, type),
      hint: (
        <>
          {text.hint} {t('Defaults to the host name.')}
        </>
      ),
    }
  }
  if (name === 'username' && monitor?.has_password && !neededSettings(type).includes(name)) {
    return { ...text, hint: t('Checks sign in with it. Without one, the password is removed too.') }
  }
  if (name === 'password' && copied?.has_password) {
    return {
      ...text,
      hint: t('The password of {name} is not copied: enter it again.', { name: copied.name }),
    }
  }
  const isKept = name === 'password' && monitor?.has_password
  return isKept ? { ...text, hint: t('A password is stored. Leave this empty to keep it.') } : text
}

function urlText(type: MonitorType, form: Form) {
  const hint = plainOffer(type, form)
  return { ...textOf('url', type), ...(hint && { hint }) }
}

function newBody(draft: Draft, names: MonitorField[], type: MonitorType): Record<string, unknown> {
  const body = readDraft(MONITOR_CONTROLS, draft, names)
  const name = body.name || givenName(draft, type)
  return { ...body, type, name, options: newOptions(draft, type) }
}

/** The name of a new monitor if the person enters none. */
function givenName(draft: Draft, type: MonitorType): string {
  return MONITOR_TYPES[type].url ? nameOf(completeUrl(type, String(draft.url))) : ''
}

function changed(
  names: MonitorField[],
  before: Draft,
  draft: Draft,
  type: MonitorType,
): Record<string, unknown> {
  const changes = changedNames(MONITOR_CONTROLS, before, draft)
  const options = changedOptions(before, draft, type)
  return {
    ...readDraft(
      MONITOR_CONTROLS,
      draft,
      names.filter((name) => changes.includes(name)),
    ),
    ...(options && { options }),
  }
}

function judgeNew(body: Record<string, unknown>, draft: Draft, team: Team): Parsed<MonitorCreate> {
  return withNames(parseFields(MonitorCreate, body, createRules(contextOf(team))), draft)
}

function judgePatch(
  body: Record<string, unknown>,
  { draft, before }: { draft: Draft; before: Draft },
  type: MonitorType,
  team: Team,
): Parsed<MonitorPatch> {
  const { url, username } = readDraft(MONITOR_CONTROLS, before, ['url', 'username']) as Partial<MonitorCreate>
  const options = setOptions(before, optionFieldsOf(type))
  const stored = { url: url ?? null, username: username ?? null, options }
  return withNames(parseFields(MonitorPatch, body, patchRules(type, contextOf(team), stored)), draft)
}

function both(
  monitor: Parsed<MonitorCreate | MonitorPatch>,
  notes: Parsed<MonitorNotes | null>,
): Parsed<Body> {
  if (monitor.ok && notes.ok) return { ok: true, value: { monitor: monitor.value, notes: notes.value } }
  return broken({ ...(!monitor.ok && monitor.faults), ...(!notes.ok && notes.faults) })
}

function isNotesName(name: string): name is keyof MonitorNotes {
  return Object.hasOwn(NOTES_CONTROLS, name)
}

function withNames<T>(judged: Parsed<T>, draft: Draft): Parsed<T> {
  const name = repeatedName(draft.request_headers)
  if (name === undefined) return judged
  const errors = {
    [`request_headers.${name}`]: [said('is given twice')],
  }
  return broken(judged.ok ? errors : { ...judged.faults, ...errors })
}

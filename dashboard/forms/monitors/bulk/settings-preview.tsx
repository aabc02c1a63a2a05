import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Contact } from '../../../../src/core/alerting/contact.ts'
import type { Monitor } from '../../../../src/core/monitors/monitor.ts'
import type { Team } from '../../../../src/core/teams/team.ts'
import { ask } from '../../../data/ask.ts'
import { type EachDone, performEach } from '../../../data/lists/perform-each.ts'
import { sayFaultOf } from '../../../language/faults.ts'
import { t } from '../../../language/language.ts'
import { Button } from '../../../parts/button.tsx'
import { useNotices } from '../../../parts/feedback/notices.tsx'
import { Trouble } from '../../../parts/feedback/trouble.tsx'
import { sayInterval } from '../../../parts/figures.ts'
import { sayNames } from '../../../parts/lists/chosen.tsx'
import { EachRefused } from '../../../parts/lists/each-refused.tsx'
import { typeWord } from '../../../parts/monitors/type-word.ts'
import { Waiting } from '../../../parts/panel.tsx'
import { sayContacts } from '../../contact-ticks.tsx'
import { usePolicies } from '../../on-call/policy-beside.ts'
import { contextOf } from '../../rule-context.ts'
import { type Chosen, labelOf } from './settings-choice.tsx'
import { type PlannedMonitor, planSettings, type SettingChange, type SharedSetting } from './settings-plan.ts'

/** How many monitors are asked for their policies at once. */
const AT_ONCE = 8

/** Shows what new values change for how many monitors, and changes it. */
export function SettingsPreview({
  monitors,
  team,
  contacts,
  chosen: { values, settings },
  onBack,
  onBusy,
  onDone,
}: {
  monitors: Monitor[]
  team: Team
  contacts: Contact[]
  chosen: Chosen
  onBack: () => void
  onBusy: (isBusy: boolean) => void
  onDone: () => void
}) {
  const queries = useQueryClient()
  const say = useNotices()
  const policies = usePolicies(team.id)
  const asksPolicies = settings.includes('policy_id')
  const own = useQuery({
    queryKey: [team.id, 'policiesOf', monitors.map(({ id }) => id), null],
    queryFn: () => readPolicies(team.id, monitors),
    enabled: asksPolicies,
    gcTime: 0,
  })
  const [done, setDone] = useState(0)
  const [end, setEnd] = useState<EachDone | null>(null)
  // As it was when the button was pressed: while monitors change one by one, nothing is left to change.
  const [held, setHeld] = useState<PlannedMonitor[] | null>(null)
  const isKnown = !asksPolicies || own.data !== undefined
  const plan =
    held ??
    (isKnown
      ? planSettings(monitors, values, settings, {
          policies: own.data ?? new Map(),
          context: contextOf(team),
        })
      : [])
  const able = plan.filter(({ changes, faults }) => changes.length > 0 && faults === null)
  const { mutate, isPending } = useMutation({
    mutationFn: () => performEach(able.map(named), ({ planned }) => change(team.id, planned), setDone),
    onSuccess(ended) {
      if (ended.done > 0) {
        say.done(
          t('{count, plural, one {# monitor changed.} other {# monitors changed.}}', { count: ended.done }),
        )
      }
      if (ended.refused.length === 0) onDone()
      else setEnd(ended)
    },
    onError: say.problem,
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === team.id }),
  })
  useEffect(() => onBusy(isPending), [isPending, onBusy])

  const sayValue = (setting: SharedSetting, value: unknown) => {
    if (setting === 'check_interval_minutes') return sayInterval(Number(value))
    if (setting === 'notification_contact_ids') return sayContacts(value as number[], contacts)
    if (setting === 'policy_id')
      return policies.find(({ id }) => id === value)?.name ?? t('No policy of its own')
    if (typeof value === 'boolean') return value ? t('Yes') : t('No')
    return Array.isArray(value) ? value.join(', ') : String(value ?? '–')
  }
  if (own.error) return <Trouble error={own.error} within />
  if (!isKnown) return <Waiting lines={6} className="p-0" />
  if (end) {
    return (
      <>
        <EachRefused end={end} />
        <div className="mt-4 flex justify-end">
          <Button tone="main" onClick={onDone}>
            {t('Close')}
          </Button>
        </div>
      </>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="-mx-1 flex max-h-[55vh] flex-col gap-4 scrolls px-1">
        {settings.map((setting) => (
          <SettingLines key={setting} setting={setting} plan={plan} sayValue={sayValue} />
        ))}
        <Refused plan={plan} />
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {isPending && (
          <p role="status" className="mr-auto text-soft">
            {t('{done, number} of {all, number}', { done, all: able.length })}
          </p>
        )}
        <Button disabled={isPending} onClick={onBack}>
          {t('Back')}
        </Button>
        <Button
          tone="main"
          busy={isPending}
          disabled={able.length === 0}
          onClick={() => {
            setHeld(plan)
            mutate()
          }}
        >
          {t('{count, plural, =0 {Nothing to change} one {Change # monitor} other {Change # monitors}}', {
            count: able.length,
          })}
        </Button>
      </div>
    </div>
  )
}

/** A setting with its values before and after, and for how many each. */
function SettingLines({
  setting,
  plan,
  sayValue,
}: {
  setting: SharedSetting
  plan: PlannedMonitor[]
  sayValue: (setting: SharedSetting, value: unknown) => string
}) {
  const able = plan.filter(({ faults }) => faults === null)
  const changes = able.flatMap(({ monitor, changes: all }) =>
    all.filter((change) => change.setting === setting).map((change) => ({ monitor, change })),
  )
  const sayChange = ({ from, to }: SettingChange) => `${sayValue(setting, from)} → ${sayValue(setting, to)}`
  const groups = [...Map.groupBy(changes, ({ change }) => sayChange(change))]
  const lacking = plan.filter(({ lacks }) => lacks.includes(setting))
  const same = able.length - changes.length - able.filter(({ lacks }) => lacks.includes(setting)).length
  return (
    <section>
      <h3 className="font-medium">{labelOf(setting)}</h3>
      <ul className="mt-1 flex flex-col gap-1">
        {groups.map(([words, of]) => (
          <li key={words} data-row className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 break-words">{words}</span>
            <span className="text-soft" title={sayNames(of.map(({ monitor }) => monitor.name))}>
              {t('{count, plural, one {# monitor} other {# monitors}}', { count: of.length })}
            </span>
          </li>
        ))}
        {same > 0 && (
          <li className="text-sm text-soft">
            {t(
              '{count, plural, one {# monitor has this value already.} other {# monitors have this value already.}}',
              {
                count: same,
              },
            )}
          </li>
        )}
        {[...Map.groupBy(lacking, ({ monitor }) => monitor.type)].map(([type, of]) => (
          <li key={type} className="text-sm text-soft">
            {t('Not for {type}: {names}', {
              type: typeWord(type),
              names: sayNames(of.map(({ monitor }) => monitor.name)),
            })}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Monitors whose new values do not fit: none of theirs is changed. */
function Refused({ plan }: { plan: PlannedMonitor[] }) {
  const refused = plan.flatMap(({ monitor, faults }) =>
    faults === null
      ? []
      : [
          {
            name: monitor.name,
            reason: Object.entries(faults)
              .flatMap(([field, all]) => all.map((fault) => sayFaultOf(fault, field)))
              .join('; '),
          },
        ],
  )
  if (refused.length === 0) return null
  return <EachRefused end={{ done: 0, refused }} />
}

function named(planned: PlannedMonitor) {
  return { name: planned.monitor.name, planned }
}

async function change(team: number, { monitor: { id }, patch, changes }: PlannedMonitor): Promise<void> {
  if (Object.keys(patch).length > 0) await ask(team, 'updateMonitor', { id, body: patch })
  const policy = changes.find(({ setting }) => setting === 'policy_id')
  if (policy) await ask(team, 'setMonitorPolicy', { id, body: { policy_id: policy.to as number | null } })
}

async function readPolicies(team: number, monitors: Monitor[]): Promise<Map<number, number | null>> {
  const found = new Map<number, number | null>()
  for (let begin = 0; begin < monitors.length; begin += AT_ONCE) {
    const some = monitors.slice(begin, begin + AT_ONCE)
    const answers = await Promise.all(some.map(({ id }) => ask(team, 'getMonitorPolicy', { id })))
    for (const [index, { data }] of answers.entries()) found.set(some[index]?.id ?? 0, data.policy_id)
  }
  return found
}

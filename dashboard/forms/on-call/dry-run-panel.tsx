import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import type { PolicyChain } from '../../../src/core/on-call/policy.ts'
import { stepName, UNREACHED_WORDS } from '../../../src/core/on-call/response-words.ts'
import type { DryRun } from '../../../src/core/on-call/shown-escalation.ts'
import { ask } from '../../data/ask.ts'
import { localTimeOf, readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'
import { type OneSubject, SubjectFilter } from '../../parts/lists/subject-filter.tsx'
import { Panel } from '../../parts/panel.tsx'
import { sayTime } from '../../parts/time.tsx'
import { useSettled } from '../../parts/use-settled.ts'

type Chain = { [Name in keyof PolicyChain]?: unknown }

/** Says what happens if something fails at a time and no one acknowledges. `chain`: the steps to try; null while they are faulty. */
export function DryRunPanel({ team, chain }: { team: number; chain: Chain | null }) {
  const [subject, setSubject] = useState<OneSubject>({})
  const [at, setAt] = useState(() => localTimeOf(new Date(), readerZone()))
  const kind = SUBJECT_KINDS.find((one) => subject[one] !== undefined)
  const failsAt = new Date(at)
  const isComplete = kind !== undefined && chain !== null && !Number.isNaN(failsAt.getTime())
  const policy = chain && {
    steps: chain.steps,
    repeats: chain.repeats,
    repeat_every_minutes: chain.repeat_every_minutes,
  }
  const asked = isComplete
    ? JSON.stringify({ kind, id: subject[kind], at: failsAt.toISOString(), policy })
    : ''
  const text = useSettled(asked)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [team, 'previewEscalation', null, text],
    queryFn: () => ask(team, 'previewEscalation', { body: JSON.parse(text) }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  return (
    <Panel title={t('Dry run')} isStale={isPlaceholderData}>
      <div className="flex flex-col gap-4 p-4">
        <p className="text-soft">
          {t('Alerts that go out if this fails at that time and no one acknowledges:')}
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <SubjectFilter team={team} value={subject} onChange={setSubject} />
          <TextField
            label={t('Fails at')}
            hint={t('In your time zone, {zone}.', { zone: readerZone() })}
            type="datetime-local"
            value={at}
            onChange={({ target }) => setAt(target.value)}
          />
        </div>
        <Refused error={error} />
        {data && text !== '' ? (
          <Foretold run={data.data} />
        ) : (
          <p className="text-sm text-soft">
            {chain === null
              ? t('The result appears here once the steps are complete.')
              : t('Choose a monitor, server or site.')}
          </p>
        )}
      </div>
    </Panel>
  )
}

function Foretold({ run: { events } }: { run: DryRun }) {
  return (
    <ol
      aria-label={t('Alerts that would be sent')}
      className="flex flex-col gap-1.5 border-t border-line pt-3"
    >
      {events.map((event) => (
        <li
          key={`${event.kind} ${event.round} ${event.number}`}
          className="grid grid-cols-[9rem_1fr] gap-x-3"
        >
          <span className="text-soft">{sayTime(event.at)}</span>
          <span className="break-words">{sayEvent(event)}</span>
        </li>
      ))}
    </ol>
  )
}

function sayEvent({ kind, number, round, contacts, schedule, unreached }: DryRun['events'][number]): string {
  const name = kind === 'alert' ? t('First alert') : stepName({ kind, number, round }, t)
  const whom = unreached === null ? sayList(contacts.map(sayContact)) : t(UNREACHED_WORDS[unreached])
  const called = schedule === null ? whom : t('{whom} (schedule {schedule})', { whom, schedule })
  return t('{step}: {whom}', { step: name, whom: called })
}

function sayContact({ name, quiet }: DryRun['events'][number]['contacts'][number]): string {
  if (quiet === null) return name
  return quiet.action === 'hold'
    ? t('{name} (held until {time})', { name, time: sayTime(quiet.until) })
    : t('{name} (not sent: quiet hours)', { name })
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import { type Monitor, MonitorCreate } from '../../../src/core/monitors/monitor.ts'
import { createRules } from '../../../src/core/monitors/monitor-rules.ts'
import { completeUrl, nameOf, plainUrlAfter } from '../../../src/core/monitors/target.ts'
import type { Team } from '../../../src/core/teams/team.ts'
import { MAX_NAME_LENGTH } from '../../../src/core/text.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { ask, question } from '../../data/ask.ts'
import { draftOf } from '../../forms/draft.ts'
import { FieldOf } from '../../forms/field-of.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { MONITOR_CONTROLS, shortestMinutes, textOf } from '../../forms/monitor-fields.ts'
import { plainOffer } from '../../forms/plain-offer.tsx'
import { contextOf } from '../../forms/rule-context.ts'
import { useForm } from '../../forms/use-form.ts'
import { t } from '../../language/language.ts'
import { Button, Spinner } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { sayMs } from '../../parts/figures.ts'
import { StatusMark } from '../../parts/monitors/status.tsx'

const ASK_AGAIN_MS = 300

/** A URL, and nothing else to fill in. */
export function FirstMonitor({
  team,
  url,
  onDone,
}: {
  team: Team
  url: string
  onDone: (monitor: Monitor) => void
}) {
  const queries = useQueryClient()
  const form = useForm({
    initial: draftOf({ url: MONITOR_CONTROLS.url }, { url }),
    names: ['url'],
    judge: (draft) => {
      const typed = completeUrl('http', String(draft.url))
      const name = nameOf(typed) || typed || '–'
      return parseFields(
        MonitorCreate,
        {
          type: 'http',
          url: typed || null,
          name: name.slice(0, MAX_NAME_LENGTH),
          check_interval_minutes: shortestMinutes(team.min_interval_minutes),
        },
        createRules(contextOf(team)),
      )
    },
    send: async (body: MonitorCreate) => (await ask(team.id, 'createMonitor', { body })).data,
    onDone: (monitor) => {
      void queries.invalidateQueries({ queryKey: [team.id, 'getTeam'] })
      onDone(monitor)
    },
  })
  const text = {
    ...textOf('url', 'http'),
    hint: plainOffer('http', form) ?? t('The address of a website or an API. We check it at once.'),
  }
  return (
    <FormFrame form={form} verb={t('Add monitor')} guarded={false} className="flex flex-col gap-4">
      <FieldOf
        name="url"
        control={MONITOR_CONTROLS.url}
        text={text}
        form={form}
        onLeave={() => form.set('url', completeUrl('http', String(form.draft.url)))}
        autoFocus
      />
    </FormFrame>
  )
}

/** The first real check, as soon as it arrives. */
export function FirstCheck({
  team,
  monitor,
  onOther,
  onAgain,
}: {
  team: number
  monitor: Monitor
  /** Gets the monitor that has taken its place. */
  onOther: (monitor: Monitor) => void
  /** Goes back to the URL if it was the wrong one. */
  onAgain: () => void
}) {
  const say = useNotices()
  const [busy, setBusy] = useState(false)
  const { data } = useQuery({
    ...question(team, 'listMonitorChecks', { id: monitor.id }),
    refetchInterval: ({ state }) => ((state.data?.data.length ?? 0) > 0 ? false : ASK_AGAIN_MS),
  })
  const check = data?.data[0]
  const details = useQuery({
    ...question(team, 'listCheckDetails', { id: monitor.id }),
    enabled: check !== undefined,
    retry: false,
  })
  const detail = details.data?.data.find(({ checked_at }) => checked_at === check?.checked_at)
  const phases = detail?.phases
  const plain = detail && monitor.url !== null ? plainUrlAfter(monitor.url, detail) : null

  /** The failed guess goes with its incident: it is no part of the history of what was meant. */
  async function tryInstead(url: string | null) {
    setBusy(true)
    try {
      await ask(team, 'deleteMonitor', { id: monitor.id })
      if (url === null) return onAgain()
      const { type, check_interval_minutes, notification_contacts } = monitor
      const body = {
        ...{ type, url, name: nameOf(url).slice(0, MAX_NAME_LENGTH), check_interval_minutes },
        notification_contact_ids: notification_contacts.map(({ id }) => id),
      }
      const { data: created } = await ask(team, 'createMonitor', { body })
      onOther(created)
    } catch (error) {
      say.problem(error)
    }
    setBusy(false)
  }

  return (
    <div role="status" className="flex min-h-24 flex-col gap-2 rounded-md bg-sunken px-4 py-3">
      <p className="font-medium break-all">{monitor.url}</p>
      {check ? (
        <>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <StatusMark status={check.status} named />
            {check.http_status_code !== null && <span>HTTP {check.http_status_code}</span>}
            {check.response_time_ms !== null && <span>{sayMs(check.response_time_ms)}</span>}
          </p>
          {phases && <PhaseLine phases={phases} />}
          {check.error_message !== null && <p>{check.error_message}</p>}
          {check.status === 'down' && (
            <span className="flex flex-wrap gap-2">
              {plain !== null && (
                <Button
                  size="small"
                  className="max-w-full"
                  busy={busy}
                  onClick={() => void tryInstead(plain)}
                >
                  <span className="min-w-0 truncate">{t('Try {url}', { url: plain })}</span>
                </Button>
              )}
              <Button size="small" busy={busy} onClick={() => void tryInstead(null)}>
                {t('Try another URL')}
              </Button>
            </span>
          )}
        </>
      ) : (
        <p className="flex items-center gap-2 text-soft">
          <Spinner />
          {t('Running the first check…')}
        </p>
      )}
    </div>
  )
}

const PHASES = {
  dns_ms: t('DNS lookup'),
  connect_ms: t('Connect'),
  tls_ms: t('TLS handshake'),
  first_byte_ms: t('First byte'),
  transfer_ms: t('Transfer'),
} as const satisfies Record<keyof NonNullable<CheckDetail['phases']>, string>

/** The timing of the check. */
function PhaseLine({ phases }: { phases: NonNullable<CheckDetail['phases']> }) {
  const reached = (Object.keys(PHASES) as (keyof typeof PHASES)[]).filter((name) => phases[name] !== null)
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {reached.map((name) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-soft">{PHASES[name]}</dt>
          <dd>{sayMs(phases[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

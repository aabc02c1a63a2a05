import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import type { ShownDomain, StatusPageDetail } from '../../../../src/core/status-pages/shown-page.ts'
import { ask } from '../../../data/ask.ts'
import { fieldsOf } from '../../../data/form.ts'
import { faultsOf, sayProblem } from '../../../data/problem.ts'
import { useTeam } from '../../../data/session.ts'
import { say } from '../../../language/faults.ts'
import { rich, t } from '../../../language/language.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import { Copyable } from '../../../parts/copy.tsx'
import { Refused } from '../../../parts/feedback/refused.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Section } from '../../../parts/panel.tsx'
import { useChangePage } from '../../../parts/status-pages/use-page.ts'
import { Time } from '../../../parts/time.tsx'

const STATES = {
  unproved: { word: t('Not verified yet'), icon: CircleDashed, look: 'text-soft' },
  proved: { word: t('Verified'), icon: CircleCheck, look: 'text-up' },
  lost: { word: t('DNS record missing'), icon: TriangleAlert, look: 'text-degraded' },
} as const

/** Domains of the team's own, each with the DNS record that proves it. */
export function PageDomains({ page: { id, domains } }: { page: StatusPageDetail }) {
  const { id: team } = useTeam()
  const form = useRef<HTMLFormElement>(null)
  const add = useChangePage(t('Domain added. Create its DNS record, then verify it.'), () =>
    form.current?.reset(),
  )

  function submit(event: FormEvent<HTMLFormElement>) {
    const { domain } = fieldsOf<{ domain: string }>(event)
    const body = { domain: domain.trim().toLowerCase() }
    add.mutate(() => ask(team, 'addStatusPageDomain', { id, body }))
  }

  return (
    <Section title={t('Own domains')} about={t('Your own domain names for this page.')}>
      {domains.length > 0 && (
        <ul className="divide-y divide-line border-b border-line">
          {domains.map((domain) => (
            <Domain key={domain.domain} page={id} domain={domain} />
          ))}
        </ul>
      )}
      <form ref={form} onSubmit={submit} className="flex flex-col items-start gap-4 p-4">
        <TextField
          label={t('Add a domain')}
          name="domain"
          required
          autoComplete="off"
          spellCheck={false}
          placeholder="status.example.com"
          hint={t('A domain name that points to this service. Only the status page answers there.')}
          className="w-full max-w-sm"
          faults={faultsOf(add.error).domain}
        />
        <Refused error={add.error} shown={['domain']} />
        <Button type="submit" busy={add.isPending}>
          {t('Add domain')}
        </Button>
      </form>
    </Section>
  )
}

function Domain({ page, domain }: { page: number; domain: ShownDomain }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const body = { domain: domain.domain }
  const prove = useMutation({
    mutationFn: () => ask(team, 'proveStatusPageDomain', { id: page, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: [team, 'getStatusPage', page] }),
  })
  const remove = useChangePage(t('{domain} removed.', { domain: domain.domain }))
  const { word, icon: Icon, look } = STATES[domain.state]
  const proof = prove.data?.data
  return (
    <li className="flex flex-col gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-medium break-all">{domain.domain}</span>
        <span className={`inline-flex items-center gap-1.5 text-sm ${look}`}>
          <Icon aria-hidden size={16} />
          {word}
        </span>
        <span className="ml-auto flex gap-2">
          {domain.state !== 'proved' && (
            <Button
              size="small"
              busy={prove.isPending}
              aria-label={t('Verify {domain}', { domain: domain.domain })}
              onClick={() => prove.mutate()}
            >
              {t('Verify')}
            </Button>
          )}
          <Button
            size="small"
            tone="danger"
            aria-label={t('Remove {domain}', { domain: domain.domain })}
            onClick={() => setAsking(true)}
          >
            {t('Remove')}
          </Button>
        </span>
      </div>
      {domain.state !== 'proved' && (
        <div className="flex flex-col gap-2">
          <p className="text-sm text-soft">
            {rich(
              'Create this TXT record at the DNS provider of the domain. Without it, the domain is released {time}.',
              { time: <Time at={domain.given_up_at} /> },
            )}
          </p>
          <p className="text-sm font-medium">{t('Name')}</p>
          <Copyable
            text={domain.record_name}
            label={t('name of the record of {domain}', { domain: domain.domain })}
          />
          <p className="text-sm font-medium">{t('Value')}</p>
          <Copyable
            text={domain.record_value}
            label={t('value of the record of {domain}', { domain: domain.domain })}
          />
        </div>
      )}
      <div role="status" className="empty:hidden">
        {proof && (
          <p className={proof.outcome === 'proved' ? 'text-up' : 'text-degraded'}>
            {say(proof.detail)}
            {proof.found.length > 0 &&
              proof.outcome !== 'proved' &&
              ` ${t('Found: {records}', { records: proof.found.join(', ') })}`}
          </p>
        )}
        {prove.error && <p className="text-down">{sayProblem(prove.error)}</p>}
      </div>
      <Confirm
        title={t('Remove {domain}?', { domain: domain.domain })}
        verb={t('Remove domain')}
        open={isAsking}
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutate(() => ask(team, 'removeStatusPageDomain', { id: page, body }), {
            onSuccess: () => setAsking(false),
          })
        }
        onClose={() => setAsking(false)}
      >
        {t('The page no longer answers there. Links to it stop working.')}
        <Refused error={remove.error} />
      </Confirm>
    </li>
  )
}

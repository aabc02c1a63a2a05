import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ServerInstall } from '../../../src/core/servers/shown-server.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button, Spinner } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SELECT_LOOK } from '../../parts/field.tsx'
import { Segments } from '../../parts/segments.tsx'
import { FirstChart } from './first-chart.tsx'
import { INSTALL_WAYS, type InstallWay, installTexts } from './install-lines.ts'
import { NotUnderstood } from './not-understood.tsx'
import type { Server } from './server-data.ts'

/** How to make a machine report. It waits for the first report, and then shows the first chart. */
export function InstallDialog({ server, isOpen }: { server: Server; isOpen: boolean }) {
  const { id: team } = useTeam()
  const navigate = useNavigate({ from: '/teams/$team/servers/$server' })
  // The secret address is asked for by those who want to see it, and not kept.
  const { data, error, isPending } = useQuery({
    ...question(team, 'getServerInstall', { id: server.id }),
    enabled: isOpen,
    gcTime: 0,
  })
  function close() {
    void navigate({ search: ({ install: _, ...kept }) => kept, replace: true, resetScroll: false })
  }
  // Not before there is something to show: the focus goes to its first control.
  return (
    <Dialog
      title={t('Install the agent on {name}', { name: server.name })}
      open={isOpen && !isPending}
      onClose={close}
      wide
    >
      {data ? <Install install={data.data} /> : <Refused error={error} />}
      <Arrival server={server} />
      <div className="mt-5 flex justify-end">
        <Button tone={server.last_report_at === null ? 'plain' : 'main'} onClick={close}>
          {server.last_report_at === null ? t('Close') : t('Show the server')}
        </Button>
      </div>
    </Dialog>
  )
}

function Install({ install: { address, agent } }: { install: ServerInstall }) {
  const [way, setWay] = useState<InstallWay>('curl')
  const texts = installTexts(address, agent.sha256)
  const { lines, uninstall } = texts[way]
  return (
    <div className="flex flex-col gap-3">
      <div className="max-sm:hidden">
        <Segments
          label={t('Way to report')}
          value={way}
          options={INSTALL_WAYS.map((value) => ({ value, label: texts[value].label }))}
          onChoose={setWay}
        />
      </div>
      <select
        aria-label={t('Way to report')}
        className={`${SELECT_LOOK} h-10 sm:hidden`}
        value={way}
        onChange={({ target }) => setWay(target.value as InstallWay)}
      >
        {INSTALL_WAYS.map((value) => (
          <option key={value} value={value}>
            {texts[value].label}
          </option>
        ))}
      </select>
      {lines.map(({ says, copy, label }) => (
        <div key={label}>
          <p className="mb-1">{says}</p>
          <Copyable text={copy} label={label} />
        </div>
      ))}
      {uninstall !== null ? (
        <>
          <p className="text-sm text-soft">
            {t(
              'The agent is a shell script that sends lines of /proc and df every minute. It opens no port, runs nothing that Upbeat sends, and does not update itself. Treat the address as a secret: anyone who knows it can report for this server.',
            )}
          </p>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
            <dt className="text-soft">{t('Version')}</dt>
            <dd>{agent.version}</dd>
            {agent.sha256 && (
              <>
                <dt className="text-soft">{t('SHA-256')}</dt>
                <dd className="font-mono break-all">{agent.sha256}</dd>
              </>
            )}
          </dl>
          <details>
            <summary className="text-sm text-soft hover:text-ink">{t('Uninstall')}</summary>
            <div className="mt-2">
              <p className="mb-1 text-sm text-soft">
                {t('This removes everything that the installation wrote:')}
              </p>
              <Copyable text={uninstall} label={t('uninstall line')} />
            </div>
          </details>
        </>
      ) : (
        <p className="text-sm text-soft">
          {t(
            'Upbeat keeps CPU, memory, load, disks, network and file systems, and drops the rest. Treat the address as a secret: anyone who knows it can report for this server.',
          )}
        </p>
      )}
    </div>
  )
}

/** Takes the same place before and after, so that nothing jumps. */
function Arrival({ server }: { server: Server }) {
  return (
    <section
      aria-label={t('First report')}
      aria-live="polite"
      className="mt-4 min-h-72 border-t border-line pt-4"
    >
      {server.last_report_at === null ? (
        <div className="flex min-h-64 flex-col items-center justify-center gap-4 rounded-lg border border-dashed border-line p-4">
          <p className="flex items-center gap-2.5 text-soft">
            <Spinner />
            {t('Waiting for the first report…')}
          </p>
          <NotUnderstood server={server} />
        </div>
      ) : (
        <FirstChart server={server} />
      )}
    </section>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { useEffect, useRef, useState } from 'react'
import { type LiveStatus, liveStatus } from '../../src/core/monitors/status.ts'
import { question } from '../data/ask.ts'
import { useTeam } from '../data/session.ts'
import { t } from '../language/language.ts'
import { StatusMark } from '../parts/monitors/status.tsx'
import { actionsFor } from './palette-actions.ts'

const SHOWN = 6
const ITEM = 'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 data-[selected=true]:bg-sunken'
const GROUP =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-soft'

/** Finds a monitor, a server, a site or an action by a few letters. The service searches all but the actions. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { id, may } = useTeam()
  const team = String(id)
  const navigate = useNavigate()
  const ref = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState('')
  /** Enter was pressed before the search was answered. */
  const [isEntered, setEntered] = useState(false)
  useEffect(() => {
    ref.current?.showModal()
    // The dialog itself would give the focus to the box around the input.
    input.current?.focus()
  }, [])
  const found = useQuery({
    ...question(id, 'listMonitorRows', {
      query: { per_page: SHOWN, ...(text.trim() && { search: text.trim() }) },
    }),
    placeholderData: (before) => before,
  })
  const rows = found.data?.data ?? []
  const others = useOthersFound(id, text.trim())
  const [other] = others.groups.flatMap(({ rows: ofKind }) => ofKind)
  const isWaiting = found.isPending || found.isPlaceholderData || others.isWaiting
  const actions = actionsFor(may).filter(({ label }) =>
    label.toLowerCase().includes(text.trim().toLowerCase()),
  )

  // Enter takes the first result, even one that arrives while the box is open.
  const first = rows[0] ? `monitor ${rows[0].id}` : (other?.value ?? actions[0]?.to ?? '')
  useEffect(() => setAt(first), [first])

  function openMonitor(monitor: number) {
    ref.current?.close()
    void navigate({ to: '/teams/$team/monitors/$monitor', params: { team, monitor: String(monitor) } })
  }

  function openOther({ kind, id: record }: Other) {
    ref.current?.close()
    if (kind === 'server')
      void navigate({ to: '/teams/$team/servers/$server', params: { team, server: String(record) } })
    else void navigate({ to: '/teams/$team/sites/$site', params: { team, site: String(record) } })
  }

  function take({ to }: (typeof actions)[number]) {
    ref.current?.close()
    void navigate({ to, params: { team } })
  }

  useEffect(() => {
    if (!isEntered || isWaiting) return
    setEntered(false)
    if (rows[0]) openMonitor(rows[0].id)
    else if (other) openOther(other)
    else if (actions[0]) take(actions[0])
  })

  return (
    <dialog
      ref={ref}
      aria-label={t('Find a monitor, server, site or action')}
      onClose={onClose}
      className="mt-[12vh] w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-lg border border-line bg-panel p-0 text-ink shadow-float"
    >
      <Command
        label={t('Find a monitor, server, site or action')}
        shouldFilter={false}
        loop
        value={at}
        onValueChange={setAt}
        onKeyDown={(event) => {
          // A result chosen with the arrow keys is taken at once.
          if (event.key !== 'Enter' || !isWaiting || at !== first) return
          event.preventDefault()
          setEntered(true)
        }}
      >
        <Command.Input
          ref={input}
          value={text}
          onValueChange={(typed) => {
            setText(typed)
            setEntered(false)
          }}
          placeholder={t('Find a monitor, server, site or action…')}
          className="h-12 w-full border-b border-line bg-transparent px-4 outline-none"
        />
        <Command.List className="max-h-96 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-soft">{t('No results.')}</Command.Empty>
          <Command.Group heading={t('Monitors')} className={GROUP}>
            {rows.map((row) => (
              <Command.Item
                key={row.id}
                value={`monitor ${row.id}`}
                className={ITEM}
                onSelect={() => openMonitor(row.id)}
              >
                <StatusMark status={liveStatus(row)} />
                <span className="min-w-0 flex-1 truncate">{row.name}</span>
                <span className="max-w-[45%] truncate text-sm text-soft">{row.target}</span>
              </Command.Item>
            ))}
          </Command.Group>
          {others.groups
            .filter(({ rows: ofKind }) => ofKind.length > 0)
            .map(({ heading, rows: ofKind }) => (
              <Command.Group key={heading} heading={heading} className={GROUP}>
                {ofKind.map((row) => (
                  <Command.Item
                    key={row.value}
                    value={row.value}
                    className={ITEM}
                    onSelect={() => openOther(row)}
                  >
                    <StatusMark status={row.status} />
                    <span className="min-w-0 flex-1 truncate">{row.name}</span>
                    <span className="max-w-[45%] truncate text-sm text-soft">{row.detail}</span>
                  </Command.Item>
                ))}
              </Command.Group>
            ))}
          {actions.length > 0 && (
            <Command.Group heading={t('Actions')} className={GROUP}>
              {actions.map((action) => (
                <Command.Item
                  key={action.to}
                  value={action.to}
                  className={ITEM}
                  onSelect={() => take(action)}
                >
                  {action.label}
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </dialog>
  )
}

type Other = {
  kind: 'server' | 'site'
  id: number
  value: string
  name: string
  detail: string | null
  status: LiveStatus
}

/** Servers and sites by name; none before anything is typed. */
function useOthersFound(
  team: number,
  search: string,
): { isWaiting: boolean; groups: { heading: string; rows: Other[] }[] } {
  const enabled = search !== ''
  const asked = { query: { search, sort: 'name', per_page: SHOWN } } as const
  const placeholderData = keepPreviousData
  const servers = useQuery({ ...question(team, 'listServers', asked), placeholderData, enabled })
  const sites = useQuery({ ...question(team, 'listSites', asked), placeholderData, enabled })
  if (!enabled) return { isWaiting: false, groups: [] }
  const ofServers = servers.data?.data.map((row) => ({ ...otherOf('server', row), detail: row.host_name }))
  const ofSites = sites.data?.data.map((row) => ({ ...otherOf('site', row), detail: row.url }))
  return {
    isWaiting: [servers, sites].some(({ isPending, isPlaceholderData }) => isPending || isPlaceholderData),
    groups: [
      { heading: t('Servers'), rows: ofServers ?? [] },
      { heading: t('Sites'), rows: ofSites ?? [] },
    ],
  }
}

function otherOf(kind: Other['kind'], row: Pick<Other, 'id' | 'name'> & Parameters<typeof liveStatus>[0]) {
  return { kind, id: row.id, value: `${kind} ${row.id}`, name: row.name, status: liveStatus(row) }
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { useEffect, useRef, useState } from 'react'
import { liveStatus } from '../../src/core/monitors/status.ts'
import { question } from '../data/ask.ts'
import { useTeam } from '../data/session.ts'
import { StatusMark } from '../parts/monitors/status.tsx'
import { serversFound } from '../screens/servers/server-list.ts'
import { actionsFor } from './palette-actions.ts'

const SHOWN = 6
const ITEM = 'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 data-[selected=true]:bg-sunken'
const GROUP =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-soft'

/** Finds a monitor, a server or an action by a few letters. The service searches the monitors. */
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
    // By itself the dialog would give the focus to the box around the input.
    input.current?.focus()
  }, [])
  const found = useQuery({
    ...question(id, 'listMonitorRows', {
      query: { per_page: SHOWN, ...(text.trim() && { search: text.trim() }) },
    }),
    placeholderData: (before) => before,
  })
  const rows = found.data?.data ?? []
  const servers = useServersFound(id, text.trim().toLowerCase())
  const isWaiting = found.isPending || found.isPlaceholderData
  const actions = actionsFor(may).filter(({ label }) =>
    label.toLowerCase().includes(text.trim().toLowerCase()),
  )

  // Enter takes the first result, even one that arrives while the box is open.
  const first = rows[0]
    ? `monitor ${rows[0].id}`
    : servers[0]
      ? `server ${servers[0].id}`
      : (actions[0]?.to ?? '')
  useEffect(() => setAt(first), [first])

  function openMonitor(monitor: number) {
    ref.current?.close()
    void navigate({ to: '/teams/$team/monitors/$monitor', params: { team, monitor: String(monitor) } })
  }

  function openServer(server: number) {
    ref.current?.close()
    void navigate({ to: '/teams/$team/servers/$server', params: { team, server: String(server) } })
  }

  function take({ to }: (typeof actions)[number]) {
    ref.current?.close()
    void navigate({ to, params: { team } })
  }

  useEffect(() => {
    if (!isEntered || isWaiting) return
    setEntered(false)
    if (rows[0]) openMonitor(rows[0].id)
    else if (servers[0]) openServer(servers[0].id)
    else if (actions[0]) take(actions[0])
  })

  return (
    <dialog
      ref={ref}
      aria-label="Find a monitor, a server or an action"
      onClose={onClose}
      className="mt-[12vh] w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-lg border border-line bg-panel p-0 text-ink shadow-xl"
    >
      <Command
        label="Find a monitor, a server or an action"
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
          placeholder="Find a monitor, a server or an action…"
          className="h-12 w-full border-b border-line bg-transparent px-4 outline-none"
        />
        <Command.List className="max-h-96 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-soft">No results.</Command.Empty>
          <Command.Group heading="Monitors" className={GROUP}>
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
          {servers.length > 0 && (
            <Command.Group heading="Servers" className={GROUP}>
              {servers.map((row) => (
                <Command.Item
                  key={row.id}
                  value={`server ${row.id}`}
                  className={ITEM}
                  onSelect={() => openServer(row.id)}
                >
                  <StatusMark status={liveStatus(row)} />
                  <span className="min-w-0 flex-1 truncate">{row.name}</span>
                  <span className="max-w-[45%] truncate text-sm text-soft">{row.host_name}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {actions.length > 0 && (
            <Command.Group heading="Actions" className={GROUP}>
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

/** They are all known once one list of them is, so they are searched here; none before anything is typed. */
function useServersFound(team: number, search: string) {
  const { data } = useQuery(question(team, 'listServers', {}))
  return search === '' ? [] : serversFound(data?.data ?? [], { search, sort: 'name' }).slice(0, SHOWN)
}

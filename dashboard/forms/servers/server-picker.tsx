import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { question } from '../../data/ask.ts'
import { Button } from '../../parts/button.tsx'
import { TextField, Tick } from '../../parts/field.tsx'
import { sayCount } from '../../parts/locale.ts'
import { Chosen } from '../monitor-picker.tsx'
import type { Form } from '../use-form.ts'

const NAME = 'server_ids'
const SHOWN_FOUND = 20

/** Chooses servers for a form; nothing where the team has none. All of them are here, so that they are searched here. */
export function ServerPicker({ team, form, max }: { team: number; form: Form; max: number }) {
  const [text, setText] = useState('')
  const { data } = useQuery(question(team, 'listServers', {}))
  const servers = data?.data ?? []
  const chosen = String(form.draft[NAME] ?? '')
    .split(', ')
    .filter(Boolean)
    .map(Number)
  if (servers.length === 0 && chosen.length === 0) return null
  const wanted = text.trim().toLowerCase()
  const found = servers.filter(({ name, host_name }) =>
    `${name} ${host_name ?? ''}`.toLowerCase().includes(wanted),
  )
  const choose = (ids: readonly number[]) => form.set(NAME, [...new Set(ids)].slice(0, max).join(', '))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">Servers</legend>
      <TextField
        label="Find servers"
        type="search"
        placeholder="Name or host name"
        value={text}
        faults={form.faults(NAME)}
        onChange={({ target }) => setText(target.value)}
        // It searches as one types; the form is not sent.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div className="rounded-md border border-line">
        <div className="max-h-56 overflow-y-auto p-3">
          {found.length === 0 && <p className="text-soft">No matching servers.</p>}
          <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
            {found.slice(0, SHOWN_FOUND).map(({ id, name, host_name }) => (
              <Tick
                key={id}
                label={name}
                hint={host_name ?? undefined}
                checked={chosen.includes(id)}
                onChange={({ target: { checked } }) =>
                  choose(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
            ))}
          </div>
        </div>
        {found.length > 0 && (
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-1.5 text-sm text-soft">
            {found.length > SHOWN_FOUND
              ? `${SHOWN_FOUND} of ${sayCount(found.length)} servers shown`
              : `${sayCount(found.length)} ${found.length === 1 ? 'server' : 'servers'} found`}
            <Button size="small" onClick={() => choose([...chosen, ...found.map(({ id }) => id)])}>
              Add all {found.length === 1 ? 'servers' : `${sayCount(found.length)} servers`}
            </Button>
          </div>
        )}
      </div>
      <Chosen
        kind="Server"
        chosen={chosen}
        names={new Map(servers.map(({ id, name }) => [id, name]))}
        onChoose={choose}
      />
    </fieldset>
  )
}

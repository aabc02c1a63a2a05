import { useState } from 'react'
import type { SubjectName } from '../../../src/core/maintenance/shown-window.ts'
import { Button } from '../../parts/button.tsx'
import { TextField, Tick } from '../../parts/field.tsx'
import { sayCount } from '../../parts/locale.ts'

const SHOWN_FOUND = 20

/** Finds servers among those of a team, by name or host name. */
export function ServerFinder({
  servers,
  chosen,
  faults,
  onAdd,
  onRemove,
}: {
  servers: readonly (SubjectName & { host_name: string | null })[]
  chosen: ReadonlySet<number>
  faults?: string[] | undefined
  onAdd: (servers: SubjectName[]) => void
  onRemove: (id: number) => void
}) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = servers.filter(({ name, host_name }) =>
    `${name} ${host_name ?? ''}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <TextField
        label="Find servers"
        type="search"
        placeholder="Name or host name"
        value={text}
        faults={faults}
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
                checked={chosen.has(id)}
                onChange={({ target: { checked } }) => (checked ? onAdd([{ id, name }]) : onRemove(id))}
              />
            ))}
          </div>
        </div>
        {found.length > 0 && (
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-1.5 text-sm text-soft">
            {found.length > SHOWN_FOUND
              ? `${SHOWN_FOUND} of ${sayCount(found.length)} servers shown`
              : `${sayCount(found.length)} ${found.length === 1 ? 'server' : 'servers'} found`}
            <Button size="small" onClick={() => onAdd(found.map(({ id, name }) => ({ id, name })))}>
              Add all {found.length === 1 ? 'servers' : `${sayCount(found.length)} servers`}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

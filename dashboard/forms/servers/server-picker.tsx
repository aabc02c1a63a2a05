import { useQuery } from '@tanstack/react-query'
import type { SubjectName } from '../../../src/core/maintenance/shown-window.ts'
import { question } from '../../data/ask.ts'
import { Chosen } from '../monitor-picker.tsx'
import type { Form } from '../use-form.ts'
import { ServerFinder } from './server-finder.tsx'

const NAME = 'server_ids'

/** Chooses servers for a form; nothing where the team has none. All of them are here, so that they are searched here. */
export function ServerPicker({
  team,
  form,
  max,
  onAdd,
}: {
  team: number
  form: Form
  max: number
  /** Told the names of what is chosen. */
  onAdd?: (servers: readonly SubjectName[]) => void
}) {
  const { data } = useQuery(question(team, 'listServers', {}))
  const servers = data?.data ?? []
  const chosen = String(form.draft[NAME] ?? '')
    .split(', ')
    .filter(Boolean)
    .map(Number)
  if (servers.length === 0 && chosen.length === 0) return null
  const choose = (ids: readonly number[]) => form.set(NAME, [...new Set(ids)].slice(0, max).join(', '))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">Servers</legend>
      <ServerFinder
        servers={servers}
        chosen={new Set(chosen)}
        faults={form.faults(NAME)}
        onAdd={(more) => {
          onAdd?.(more)
          choose([...chosen, ...more.map(({ id }) => id)])
        }}
        onRemove={(id) => choose(chosen.filter((one) => one !== id))}
      />
      <Chosen
        kind="Server"
        chosen={chosen}
        names={new Map(servers.map(({ id, name }) => [id, name]))}
        onChoose={choose}
      />
    </fieldset>
  )
}

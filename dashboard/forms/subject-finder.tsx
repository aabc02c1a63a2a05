import { useState } from 'react'
import { phrase } from '../../src/core/language/phrase.ts'
import type { SubjectName } from '../../src/core/maintenance/shown-window.ts'
import { t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { TextField, Tick } from '../parts/field.tsx'
import type { FoundKind, FoundSubject } from './found-subjects.ts'

const SHOWN_FOUND = 20

/** Words for each kind of which a screen has all at once. */
const WORDS = {
  server: {
    find: phrase('Find servers'),
    by: phrase('Name or host name'),
    none: phrase('No matching servers.'),
    found: phrase('{count, plural, one {# server found} other {# servers found}}'),
    shown: phrase('{shown, number} of {count, number} servers shown'),
    add: phrase('{count, plural, one {Add all servers} other {Add all # servers}}'),
  },
  site: {
    find: phrase('Find sites'),
    by: phrase('Name or address'),
    none: phrase('No matching sites.'),
    found: phrase('{count, plural, one {# site found} other {# sites found}}'),
    shown: phrase('{shown, number} of {count, number} sites shown'),
    add: phrase('{count, plural, one {Add all sites} other {Add all # sites}}'),
  },
} as const satisfies Record<FoundKind, object>

/** Finds servers or sites among those of a team. */
export function SubjectFinder({
  kind,
  subjects,
  chosen,
  faults,
  onAdd,
  onRemove,
}: {
  kind: FoundKind
  subjects: readonly FoundSubject[]
  chosen: ReadonlySet<number>
  faults?: string[] | undefined
  onAdd: (subjects: SubjectName[]) => void
  onRemove: (id: number) => void
}) {
  const [text, setText] = useState('')
  const words = WORDS[kind]
  const wanted = text.trim().toLowerCase()
  const found = subjects.filter(({ name, hint }) => `${name} ${hint ?? ''}`.toLowerCase().includes(wanted))
  return (
    <>
      <TextField
        label={t(words.find)}
        type="search"
        placeholder={t(words.by)}
        value={text}
        faults={faults}
        onChange={({ target }) => setText(target.value)}
        // It searches as one types; the form is not sent.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div className="rounded-md border border-line">
        <div className="max-h-56 overflow-y-auto p-3">
          {found.length === 0 && <p className="text-soft">{t(words.none)}</p>}
          <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
            {found.slice(0, SHOWN_FOUND).map(({ id, name, hint }) => (
              <Tick
                key={id}
                label={name}
                hint={hint ?? undefined}
                checked={chosen.has(id)}
                onChange={({ target: { checked } }) => (checked ? onAdd([{ id, name }]) : onRemove(id))}
              />
            ))}
          </div>
        </div>
        {found.length > 0 && (
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-1.5 text-sm text-soft">
            {found.length > SHOWN_FOUND
              ? t(words.shown, { shown: SHOWN_FOUND, count: found.length })
              : t(words.found, { count: found.length })}
            <Button size="small" onClick={() => onAdd(found.map(({ id, name }) => ({ id, name })))}>
              {t(words.add, { count: found.length })}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

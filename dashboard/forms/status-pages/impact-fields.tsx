import { useState } from 'react'
import { SaidState } from '../../../src/core/status-pages/component-state.ts'
import { isOver, PostPhase } from '../../../src/core/status-pages/post.ts'
import { t } from '../../language/language.ts'
import { SELECT_LOOK, TextField } from '../../parts/field.tsx'
import { STATE_WORDS } from '../../parts/status-pages/state-words.ts'
import type { Pair } from '../draft.ts'
import { componentsOf, type OfPost } from './post-fields.ts'
import { ProposedImpacts } from './proposed-impacts.tsx'

const NAME = 'impacts'
/** With more a person looks for one by its name. */
const MANY = 12

/** The state that a post gives each component. */
export function ImpactFields({ team, page, kind, form }: OfPost) {
  const [search, setSearch] = useState('')
  const all = componentsOf(page)
  const pairs = form.draft[NAME] as Pair[]
  const said = new Map(pairs.map(({ key, value }) => [key, value]))
  const words = search.trim().toLowerCase()
  // Those that are chosen stay in sight.
  const shown = all.filter(
    ({ component: { id, name }, group }) =>
      said.has(id) || `${name} ${group ?? ''}`.toLowerCase().includes(words),
  )

  function choose(id: number, state: string) {
    const rest = pairs.filter(({ key }) => key !== id)
    form.set(NAME, state === '' ? rest : [...rest, { key: id, name: String(id), value: state }])
  }

  if (all.length === 0) return null
  const phase = PostPhase.safeParse(form.draft.phase).data
  const isSilent = kind === 'incident' && pairs.length === 0 && phase !== undefined && !isOver(phase)
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{t('Affected components')}</legend>
      <p className="mb-2 text-sm text-soft">
        {t('Those that are not affected show the state that their monitor says.')}
      </p>
      {isSilent && <ProposedImpacts team={team} page={page} onTake={(taken) => form.set(NAME, taken)} />}
      {all.length > MANY && (
        <TextField
          label={t('Find components')}
          type="search"
          className="mb-2"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div className="max-h-80 scrolls rounded-md border border-line">
        {shown.length === 0 && <p className="px-3 py-2 text-soft">{t('No matching components.')}</p>}
        {shown.map(({ component: { id, name }, group }) => (
          <label
            key={id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 last:border-b-0"
          >
            <span className="min-w-0 flex-1 basis-40 break-words">
              {name}
              {group && <span className="text-sm text-soft"> · {group}</span>}
            </span>
            <select
              value={said.get(id) ?? ''}
              onChange={({ target }) => choose(id, target.value)}
              className={`${SELECT_LOOK} h-9 max-w-48`}
            >
              <option value="">{t('Not affected')}</option>
              {SaidState.options.map((state) => (
                <option key={state} value={state}>
                  {STATE_WORDS[state]}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {form.faults(NAME) && <p className="mt-1 text-sm text-down">{form.faults(NAME)?.join('; ')}</p>}
    </fieldset>
  )
}

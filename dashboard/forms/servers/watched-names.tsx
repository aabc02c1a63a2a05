import type { NamedKind } from '../../../src/core/servers/condition.ts'
import type { Hosted } from '../../../src/core/servers/hosted.ts'
import { splitTags } from '../../../src/core/tags/tag-text.ts'
import { t } from '../../language/language.ts'
import { INPUT_LOOK, SELECT_LOOK } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'
import { LEVEL_WORDS, pathOf, sayLevel } from './server-fields.ts'

const EXAMPLES: Record<NamedKind, string> = { container: 'web, db', unit: 'nginx.service' }
const ADD: Record<NamedKind, string> = { container: t('Add a container…'), unit: t('Add a unit…') }

/** The names that a condition watches: typed, or chosen of those that the agent tells of. */
export function WatchedNames({
  kind,
  hosted,
  form,
  said,
}: {
  kind: NamedKind
  hosted: Hosted | null
  form: Form
  /** The id of the sentence about the line. */
  said: string
}) {
  const path = pathOf(kind, 'names')
  const names = splitTags(String(form.draft[path] ?? ''))
  const told = (kind === 'container' ? hosted?.containers : hosted?.units)?.list ?? []
  const offered = told.map(({ name }) => name).filter((name) => !names.includes(name))
  const isFaulty = form.faults(path) !== undefined
  return (
    <div className="flex flex-col gap-1.5 max-lg:order-4 max-lg:basis-full lg:col-span-2">
      <label className="block">
        <span aria-hidden className="mb-1 block text-sm text-soft lg:hidden">
          {LEVEL_WORDS.names}
        </span>
        <input
          name={path}
          aria-label={sayLevel(kind, 'names')}
          aria-describedby={said}
          {...(isFaulty && { 'aria-invalid': true })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={EXAMPLES[kind]}
          value={String(form.draft[path] ?? '')}
          onChange={({ target }) => form.set(path, target.value)}
          onBlur={() => form.leave(path)}
          className={`${INPUT_LOOK} h-10 w-full px-2`}
        />
      </label>
      {offered.length > 0 && (
        <select
          aria-label={ADD[kind]}
          className={`${SELECT_LOOK} h-10 w-full`}
          value=""
          onChange={({ target }) => form.set(path, [...names, target.value].join(', '))}
        >
          <option value="">{ADD[kind]}</option>
          {offered.sort().map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { keyOf, tagValue } from '../../../src/core/tags/tag-text.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { useHasTags } from '../../data/tags/has-tags.ts'
import { selectorsOf, type TagSearch } from '../../data/tags/tag-search.ts'
import { t } from '../../language/language.ts'
import { SelectField } from '../field.tsx'
import { TagInput } from './tag-input.tsx'

/**
 * The filter by tags and the choice of groups of a list; nothing for a team that uses no tags. From `xl` on they are in the
 * row of the other filters, whose columns ask for it (`useHasTags`).
 */
export function TagFilter({
  search,
  onChange,
}: {
  search: TagSearch
  onChange: (change: TagSearch) => void
}) {
  const { id: team } = useTeam()
  const inUse = useQuery(question(team, 'listTags', {})).data?.data ?? []
  const selectors = selectorsOf(search)
  const keys = new Set(inUse.filter(({ tag }) => tagValue(tag) !== null).map(({ tag }) => keyOf(tag)))
  if (search.group !== undefined) keys.add(search.group)
  if (!useHasTags(search)) return null
  return (
    <div className="col-span-full grid grid-cols-2 gap-3 lg:grid-cols-[minmax(0,1fr)_10rem] xl:contents">
      <TagInput
        selects
        team={team}
        label={t('Tags')}
        tags={selectors}
        className="max-lg:col-span-2"
        onChange={(tags) => onChange({ tags: tags.length > 0 ? tags.join(',') : undefined })}
      />
      <SelectField
        label={t('Group by')}
        value={search.group ?? ''}
        onChange={({ target }) => onChange({ group: target.value || undefined })}
      >
        <option value="">{t('Nothing')}</option>
        {[...keys].sort().map((key) => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

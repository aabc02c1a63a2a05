import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import { useTeam } from '../../data/session.ts'
import type { GroupDraft, LayoutDraft } from '../../forms/status-pages/layout-draft.ts'
import { t } from '../../language/language.ts'
import { Tick } from '../../parts/field.tsx'
import { TagInput } from '../../parts/tags/tag-input.tsx'
import { carriersOf, withoutKnown } from './carriers.ts'

/** Lets what carries some tags come and go by itself. It says what that makes public. */
export function GroupTags({
  group,
  draft,
  faults,
  onChange,
}: {
  group: GroupDraft
  draft: LayoutDraft
  faults: string[] | undefined
  onChange: (tags: string[]) => void
}) {
  const { id: team } = useTeam()
  const [isWanted, setWanted] = useState(group.tags.length > 0)
  return (
    <div className="flex flex-col gap-3 sm:col-span-2">
      <Tick
        label={t('Add by tag automatically')}
        hint={t(
          'Monitors, servers and sites that get the tags later appear on the page automatically, where visitors see their names. They disappear when they lose the tags.',
        )}
        checked={isWanted}
        onChange={({ target }) => {
          setWanted(target.checked)
          if (!target.checked) onChange([])
        }}
      />
      {isWanted && (
        <TagInput
          selects
          team={team}
          label={t('Everything with all of these tags')}
          tags={group.tags}
          placeholder="env:prod"
          hint={t('Tags are never public.')}
          faults={faults}
          onChange={onChange}
        />
      )}
      {isWanted && group.tags.length > 0 && <NewNames team={team} tags={group.tags} draft={draft} />}
    </div>
  )
}

/** Subjects that join the group as soon as the page is saved. */
function NewNames({ team, tags, draft }: { team: number; tags: string[]; draft: LayoutDraft }) {
  const { data } = useQuery({
    queryKey: [team, 'carriers', tags],
    queryFn: () => carriersOf(team, tags),
  })
  if (!data) return null
  const found = withoutKnown(data, draft)
  const names = SUBJECT_KINDS.flatMap((kind) =>
    found[kind].map(({ id, name }) => ({ key: `${kind} ${id}`, name })),
  )
  if (names.length === 0) return null
  return (
    <div>
      <p className="text-sm text-soft">{t('Added when you save; visitors will see these names:')}</p>
      <ul
        aria-label={t('Names that become public')}
        className="mt-1.5 max-h-56 divide-y divide-line scrolls rounded-md border border-line"
      >
        {names.map(({ key, name }) => (
          <li key={key} className="px-3 py-1.5 break-words">
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}

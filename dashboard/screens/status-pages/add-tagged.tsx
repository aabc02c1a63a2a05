import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { addInGroup, type LayoutDraft } from '../../forms/status-pages/layout-draft.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { TextField } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TagInput } from '../../parts/tags/tag-input.tsx'
import { carriersOf, type Found, withoutKnown } from './carriers.ts'

/**
 * Adds a component for everything that carries some tags, which may form a group. It asks first: names of monitors are
 * internal until somebody makes them public. Nothing for a team that uses no tags.
 */
export function AddTagged({
  draft,
  onChange,
}: {
  draft: LayoutDraft
  onChange: (change: (draft: LayoutDraft) => LayoutDraft) => void
}) {
  const { id: team } = useTeam()
  const say = useNotices()
  const inUse = useQuery(question(team, 'listTags', {})).data?.data ?? []
  const [tags, setTags] = useState<string[]>([])
  const [isLooking, setLooking] = useState(false)
  const [found, setFound] = useState<Found | null>(null)
  if (inUse.length === 0) return null

  async function look() {
    setLooking(true)
    try {
      setFound(withoutKnown(await carriersOf(team, tags), draft))
    } catch (error) {
      say.problem(error)
    } finally {
      setLooking(false)
    }
  }

  function add(group: string) {
    if (found) onChange((all) => addInGroup(all, group, found))
    setFound(null)
    setTags([])
  }

  return (
    <Panel title={t('Add by tag')}>
      <div className="flex flex-col gap-3 p-4">
        <TagInput
          selects
          team={team}
          label={t('Everything with these tags')}
          tags={tags}
          placeholder="env:prod"
          hint={t(
            'Adds a component for each monitor, server and site that carries all of them now. Tags are never public.',
          )}
          onChange={setTags}
        />
        <Button
          className="self-start"
          busy={isLooking}
          disabled={tags.length === 0}
          onClick={() => void look()}
        >
          {t('Add components…')}
        </Button>
      </div>
      <AskForNames found={found} onAdd={add} onClose={() => setFound(null)} />
    </Panel>
  )
}

function AskForNames({
  found,
  onAdd,
  onClose,
}: {
  found: Found | null
  onAdd: (group: string) => void
  onClose: () => void
}) {
  const [group, setGroup] = useState('')
  const subjects = found
    ? SUBJECT_KINDS.flatMap((kind) => found[kind].map(({ id, name }) => ({ key: `${kind} ${id}`, name })))
    : []
  const title = t('{count, plural, one {Add # component?} other {Add # components?}}', {
    count: subjects.length,
  })
  return (
    <Dialog title={subjects.length > 0 ? title : t('Nothing to add')} open={found !== null} onClose={onClose}>
      {subjects.length === 0 ? (
        <p className="text-soft">{t('Everything with these tags is on the page already.')}</p>
      ) : (
        <div className="flex flex-col gap-4">
          <p className="text-soft">
            {t('Visitors will see these names. Change them in the list before you save the page.')}
          </p>
          <ul
            aria-label={t('Names that become public')}
            className="max-h-56 divide-y divide-line scrolls rounded-md border border-line"
          >
            {subjects.map(({ key, name }) => (
              <li key={key} className="px-3 py-1.5 break-words">
                {name}
              </li>
            ))}
          </ul>
          <TextField
            label={t('Group')}
            hint={t('Optional: a new group of this name takes them. Public, too.')}
            value={group}
            onChange={({ target }) => setGroup(target.value)}
          />
        </div>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{subjects.length === 0 ? t('Close') : t('Cancel')}</Button>
        {subjects.length > 0 && (
          <Button tone="main" onClick={() => onAdd(group.trim())}>
            {t('Add')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

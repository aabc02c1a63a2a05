import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { useNotices } from '../feedback/notices.tsx'
import { TagInput } from './tag-input.tsx'

/** Adds tags to all that is chosen in a list, and removes tags of it. */
export function TagBulk({
  kind,
  chosen,
  onDone,
}: {
  kind: SubjectKind
  chosen: ReadonlySet<number>
  onDone: () => void
}) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [isOpen, setOpen] = useState(false)
  const [add, setAdd] = useState<string[]>([])
  const [remove, setRemove] = useState<string[]>([])
  const { mutate, isPending } = useMutation({
    mutationFn: () => ask(team, 'changeTags', { body: { kind, ids: [...chosen], add, remove } }),
    onSuccess: ({ data: { changed } }) => {
      say.done(
        changed === 0 ? t('No tags changed.') : t(SHOWN_KINDS[kind].words.tagsChanged, { count: changed }),
      )
      setOpen(false)
      onDone()
    },
    onError: say.problem,
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === team }),
  })

  function open() {
    setAdd([])
    setRemove([])
    setOpen(true)
  }

  return (
    <>
      <Button size="small" onClick={open}>
        {t('Tags')}
      </Button>
      <Dialog
        title={t(SHOWN_KINDS[kind].words.tags, { count: chosen.size })}
        open={isOpen}
        onClose={() => setOpen(false)}
      >
        <form
          className="flex min-h-80 flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isPending) mutate()
          }}
        >
          <TagInput
            team={team}
            label={t('Add')}
            tags={add}
            hint={t('A tag takes the place of the one with its key: env:prod that of env:staging.')}
            onChange={setAdd}
          />
          <TagInput
            selects
            team={team}
            label={t('Remove')}
            tags={remove}
            placeholder="env:prod"
            hint={t('A key alone removes its tag, whatever the value.')}
            onChange={setRemove}
          />
          <div className="mt-auto flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>{t('Cancel')}</Button>
            <Button type="submit" tone="main" busy={isPending} disabled={add.length + remove.length === 0}>
              {t('Change tags')}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  )
}

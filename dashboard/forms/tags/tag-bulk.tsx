import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { useNotices } from '../../app/notices.tsx'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { sayCount } from '../../parts/locale.ts'
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
      say.done(changed === 0 ? 'No tags changed.' : `Tags of ${sayKind(changed, kind)} changed.`)
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
        Tags
      </Button>
      <Dialog title={`Tags of ${sayKind(chosen.size, kind)}`} open={isOpen} onClose={() => setOpen(false)}>
        <form
          className="flex min-h-80 flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isPending) mutate()
          }}
        >
          <TagInput
            team={team}
            label="Add"
            tags={add}
            hint="A tag takes the place of the one with its key: env:prod that of env:staging."
            onChange={setAdd}
          />
          <TagInput
            selects
            team={team}
            label="Remove"
            tags={remove}
            placeholder="env:prod"
            hint="A key alone removes its tag, whatever the value."
            onChange={setRemove}
          />
          <div className="mt-auto flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" tone="main" busy={isPending} disabled={add.length + remove.length === 0}>
              Change tags
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  )
}

function sayKind(count: number, kind: SubjectKind): string {
  return `${sayCount(count)} ${kind}${count === 1 ? '' : 's'}`
}

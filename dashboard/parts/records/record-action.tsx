import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { OperationId } from '../../../src/contract/contract.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Confirm } from '../confirm.tsx'
import { type Undo, useNotices } from '../feedback/notices.tsx'
import type { Place } from './form-screen.tsx'
import { useUndo } from './use-undo.ts'

/** A notice says how the action ended, and everything of the team is asked for again. */
export function useRecordAction<Answer, Input = void>(
  act: (input: Input) => Promise<Answer>,
  {
    said,
    undo,
    answers,
    onDone,
  }: {
    said?: (answer: Answer) => string
    /** Takes it back, from the notice. */
    undo?: (input: Input) => Undo | undefined
    /** The question that the answer of the action answers, too. */
    answers?: QueryKey
    /** Comes before anything is asked for again. */
    onDone?: (answer: Answer) => void | Promise<void>
  },
) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer, input) => {
      if (answers) queries.setQueryData(answers, answer)
      await onDone?.(answer)
      void queries.invalidateQueries({ queryKey: [team] })
      if (said) say.done(said(answer), undo?.(input))
    },
    onError: say.problem,
  })
}

type RecordAction = {
  isPending: boolean
  mutate: (input: undefined, options: { onSettled: () => void }) => void
}
type Words = {
  title: string
  /** The text of the button that does it. */
  verb: string
  /** The consequences. */
  about: ReactNode
}

/** Asks before an action: `ask` is for the button or the menu, `question` stands beside it. */
export function useAskFirst(action: RecordAction, { title, verb, about }: Words) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return {
    ask: () => setAsking(true),
    question: (
      <Confirm
        title={title}
        verb={verb}
        open={isAsking}
        busy={action.isPending}
        onConfirm={() => action.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        {about}
      </Confirm>
    ),
  }
}

/** `Site`, of which there is `deleteSite`. */
type Deleted<Id = OperationId> = Id extends `delete${infer Name}` ? Name : never

/** Deletes the record that a page is about, after a question, and leaves the page. */
export function useDeletion({
  of,
  record: { id, name },
  to,
  forget = [],
  title = t('Delete {name}?', { name }),
  said = t('{name} deleted.', { name }),
  ...words
}: Omit<Words, 'title'> & {
  /** As its operations name it. */
  of: Deleted
  record: { id: number; name: string }
  /** The list that it was in. */
  to: Place
  /** More questions about it, which have no answer any more. */
  forget?: readonly OperationId[]
  title?: string
  said?: string
}) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const undo = useUndo({ of })
  const removal = useRecordAction(() => ask(team, `delete${of}`, { id }), {
    said: () => said,
    undo: () => undo([id]),
    async onDone() {
      // Unsaved changes go with it: no form asks about them.
      await navigate({ ...to, ignoreBlocker: true })
      // Only now: the page that was left would fetch what is gone.
      for (const asked of [`get${of}`, ...forget]) queries.removeQueries({ queryKey: [team, asked, id] })
    },
  })
  return useAskFirst(removal, { title, ...words })
}

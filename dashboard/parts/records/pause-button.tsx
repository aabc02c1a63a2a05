import type { QueryKey } from '@tanstack/react-query'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { useRecordAction } from './record-action.tsx'

/** Pauses a subject, or resumes it. */
export function PauseButton<Answer extends { data: { is_active: boolean } }>({
  isActive,
  toggle,
  answers,
  resumed,
  paused,
}: {
  isActive: boolean
  toggle: () => Promise<Answer>
  /** The question about the record. */
  answers: QueryKey
  /** The notice afterwards. */
  resumed: string
  paused: string
}) {
  const toggling = useRecordAction(toggle, {
    answers,
    said: ({ data }) => (data.is_active ? resumed : paused),
  })
  return (
    <Button busy={toggling.isPending} onClick={() => toggling.mutate()}>
      {isActive ? t('Pause') : t('Resume')}
    </Button>
  )
}

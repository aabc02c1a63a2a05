import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { WindowPreview } from '../../../src/core/maintenance/shown-window.ts'
import type { FieldErrors } from '../../../src/core/validation.ts'
import { ask } from '../../data/ask.ts'
import { faultsOf } from '../../data/problem.ts'
import { readerHere } from '../../parts/maintenance/reader.ts'
import { useSettled } from '../../parts/use-settled.ts'
import type { Draft } from '../draft.ts'
import { judgeWindow, type WindowKind, zoneOf } from './window-fields.ts'

export type Preview = {
  data: WindowPreview | undefined
  /** The service's rules over several fields. */
  faults: FieldErrors
  error: unknown
  /** False while something is missing in the form. */
  isAsked: boolean
}

/**
 * Asks the service what the window would do, once the typing pauses. Each draft is a question of its own, so that an
 * answer to an earlier one never takes the place of a later one.
 */
export function usePreview(team: number, kind: WindowKind, draft: Draft): Preview {
  // Only its times matter: a name and monitors may still be missing.
  const times = { ...draft, name: '–', note: '', all_subjects: true, monitor_ids: '' }
  const judged = judgeWindow(kind, times)
  const zone = kind === 'one_off' ? (zoneOf(draft) ?? undefined) : undefined
  const text = useSettled(judged.ok ? JSON.stringify({ window: judged.value, zone }) : '')
  const answer = useQuery({
    queryKey: [team, 'previewMaintenanceWindow', null, text],
    queryFn: () =>
      ask(team, 'previewMaintenanceWindow', {
        body: { ...JSON.parse(text), ...readerHere() },
      }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const isAsked = judged.ok && text !== ''
  return {
    data: isAsked ? answer.data?.data : undefined,
    faults: isAsked ? faultsOf(answer.error) : {},
    error: isAsked ? answer.error : null,
    isAsked,
  }
}

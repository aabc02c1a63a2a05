import { t } from '../../language/language.ts'

export const POLICY_LABELS = {
  name: t('Name'),
  steps: t('Steps'),
  repeats: t('Repeat all steps'),
  repeat_every_minutes: t('Repeat after'),
  tags: t('Tags'),
} as const

/** The fields of steps, as their controls name them. */
const STEP_LABELS: Record<string, string> = {
  after_minutes: t('Minutes without an acknowledgement'),
  contact_ids: t('Contacts to alert'),
  schedule_id: t('Schedule'),
}

const PATH = /^steps\.\d+\.(\w+)(?:\.\d+)?$/

/** The label of a field of a step. */
export function policyWord(field: string): string | undefined {
  return STEP_LABELS[PATH.exec(field)?.[1] ?? '']
}

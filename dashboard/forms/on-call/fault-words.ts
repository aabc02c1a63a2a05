import { t } from '../../language/language.ts'

/** The fields of participants and layers, as their controls name them. */
const LABELS: Record<string, string> = {
  name: t('Name'),
  user_id: t('Account'),
  contact_ids: t('Contacts to alert'),
  rotation: t('Order of turns'),
  every: t('Length of a turn'),
  hand_over_at: t('Hand-over time'),
  starts_on: t('First day'),
  days: t('Days'),
  from: t('From'),
  until: t('Until'),
}

const PATH = /^(?:participants|layers)\.\d+\.(?:hours\.)?(\w+)(?:\.\d+)?$/

/** The label of a field of a participant or a layer. */
export function scheduleWord(field: string): string | undefined {
  return LABELS[PATH.exec(field)?.[1] ?? '']
}

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

const PATH = /^(?:participants|layers)\.\d+\.(?:hours\.)?(\w+)(?:\.\d+)?/

/** Messages that begin with the label of a field, not with its path. */
export function inScheduleWords(faults: string[] | undefined): string[] | undefined {
  return faults?.map((fault) => fault.replace(PATH, (path, name: string) => LABELS[name] ?? path))
}

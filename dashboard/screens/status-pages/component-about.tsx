import { Link } from '@tanstack/react-router'
import { SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import { useTeam } from '../../data/session.ts'
import { pageOfSubject, SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import type { ComponentDraft } from '../../forms/status-pages/layout-draft.ts'
import { t } from '../../language/language.ts'
import { STATE_WORDS } from '../../parts/status-pages/state-words.ts'

/** Where the state of a component comes from, in a line. */
export function ComponentAbout({ component }: { component: ComponentDraft }) {
  const { id: team } = useTeam()
  const kind = SUBJECT_KINDS.find((one) => component[one] !== null)
  const subject = kind && component[kind]
  if (!kind || !subject) {
    const state = STATE_WORDS[component.state]
    return <p className="text-sm text-soft">{t('Set by hand: {state}', { state })}</p>
  }
  const { words } = SHOWN_KINDS[kind]
  if (subject.is_deleted) {
    return <p className="text-sm break-words text-degraded">{t(words.deleted, { name: subject.name })}</p>
  }
  return (
    <p className="text-sm break-words text-soft">
      {t(words.one)}{' '}
      <Link {...pageOfSubject(team, { kind, id: subject.id })} className="underline">
        {subject.name}
      </Link>
    </p>
  )
}

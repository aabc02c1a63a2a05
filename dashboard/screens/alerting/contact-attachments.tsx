import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MAX_ATTACHMENTS } from '../../../src/core/alerting/attachment.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { pageOfSubject, SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Panel } from '../../parts/panel.tsx'

/** Everything that has this contact in its own list, with links. */
export function ContactAttachments({ contact }: { contact: number }) {
  const { id: team } = useTeam()
  const attachments = useQuery(question(team, 'listContactAttachments', { id: contact }))
  if (attachments.data?.data.length === 0) return null
  return (
    <Panel title={t('Attached to')}>
      <Answered answer={attachments} lines={2}>
        {({ data }) => (
          <>
            <ul className="max-h-80 divide-y divide-line scrolls">
              {data.map(({ subject, id, name }) => (
                <li key={`${subject} ${id}`} className="flex items-center justify-between gap-3 px-4">
                  <Link
                    {...pageOfSubject(team, { kind: subject, id })}
                    className="min-h-11 min-w-0 flex-1 content-center truncate font-medium"
                  >
                    {name}
                  </Link>
                  <span className="text-sm text-soft">{t(SHOWN_KINDS[subject].words.one)}</span>
                </li>
              ))}
            </ul>
            {data.length === MAX_ATTACHMENTS && (
              <p className="px-4 py-3 text-sm text-soft">
                {t('Only the first {count} are shown.', { count: sayCount(MAX_ATTACHMENTS) })}
              </p>
            )}
          </>
        )}
      </Answered>
    </Panel>
  )
}

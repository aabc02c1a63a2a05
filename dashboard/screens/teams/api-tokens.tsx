import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewApiToken } from '../../../src/core/teams/people.ts'
import { SettingsFrame } from '../../app/settings-frame.tsx'
import { useDocs } from '../../data/account.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Empty, Section } from '../../parts/panel.tsx'
import { Rows } from '../../parts/rows.tsx'
import { TokenForm } from './api-tokens-form.tsx'
import { TokenLine } from './api-tokens-line.tsx'
import { TokenMade } from './api-tokens-made.tsx'

export default function ApiTokens() {
  const { may, role } = useTeam()
  const [made, setMade] = useState<NewApiToken | null>(null)
  return (
    <SettingsFrame>
      {may('write') ? <NewToken made={made} onMade={setMade} /> : <NotForViewers />}
      <Section
        title={role === 'owner' ? t('API tokens of all members') : t('Your API tokens')}
        about={t(
          'A token stops working when it is revoked, when it expires, or when its person leaves the team.',
        )}
      >
        <Tokens onMade={setMade} />
      </Section>
    </SettingsFrame>
  )
}

function NotForViewers() {
  return (
    <Section title={t('New API token')}>
      <Empty title={t('Viewers cannot create API tokens')}>
        {t(
          'A token gives programs the permissions of the person who created it. Ask an owner of the team for the Admin role, or an admin for a token. Programs that you connected by signing in can read what you can; they are listed below.',
        )}
      </Empty>
    </Section>
  )
}

type OnMade = (made: NewApiToken | null) => void

function NewToken({ made, onMade }: { made: NewApiToken | null; onMade: OnMade }) {
  const { role } = useTeam()
  const docs = useDocs('/api')
  return (
    <Section
      title={t('New API token')}
      about={rich(
        'For scripts, Terraform, AI assistants and anything else that uses the <link>API</link>. A token has your role in this team ({role, select, owner {owner} admin {admin} other {viewer}}): it can read everything and, unless it is read-only, create and edit monitors and contacts.',
        {
          role,
          link: (inside) => (
            <a href={docs} className="text-ink underline">
              {inside}
            </a>
          ),
        },
      )}
    >
      {made ? <TokenMade made={made} onDone={() => onMade(null)} /> : <TokenForm onMade={onMade} />}
    </Section>
  )
}

function Tokens({ onMade }: { onMade: OnMade }) {
  const { id } = useTeam()
  return (
    <Answered answer={useQuery(question(id, 'listApiTokens', {}))}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="p-4 text-soft">{t('No API tokens yet.')}</p>
        ) : (
          <Rows label={t('API tokens')}>
            {data.map((token) => (
              <TokenLine key={token.id} token={token} onMade={onMade} />
            ))}
          </Rows>
        )
      }
    </Answered>
  )
}

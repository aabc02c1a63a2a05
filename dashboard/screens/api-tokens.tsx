import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewApiToken } from '../../src/core/people.ts'
import { SettingsFrame } from '../app/settings-frame.tsx'
import { question } from '../data/ask.ts'
import { useTeam } from '../data/session.ts'
import { Empty, Panel, Waiting } from '../parts/panel.tsx'
import { Refused } from '../parts/refused.tsx'
import { Rows } from '../parts/rows.tsx'
import { TokenForm } from './api-tokens-form.tsx'
import { TokenLine } from './api-tokens-line.tsx'
import { TokenMade } from './api-tokens-made.tsx'

export default function ApiTokens() {
  const { may } = useTeam()
  return <SettingsFrame>{may('write') ? <Tokens /> : <NotForViewers />}</SettingsFrame>
}

function NotForViewers() {
  return (
    <Panel title="API tokens">
      <Empty title="Viewers make no API tokens">
        With a token, programs do what its maker may do. Ask an owner of the team for the role of an admin, or
        an admin for a token.
      </Empty>
    </Panel>
  )
}

function Tokens() {
  const { id, role } = useTeam()
  const { data, error } = useQuery(question(id, 'listApiTokens', {}))
  const [made, setMade] = useState<NewApiToken | null>(null)
  return (
    <>
      <Panel title="New API token">
        {made ? (
          <TokenMade made={made} onDone={() => setMade(null)} />
        ) : (
          <>
            <p className="px-4 pt-4 text-soft">
              For scripts, Terraform, AI assistants and whatever else uses the{' '}
              <a href="/docs" className="text-ink underline">
                API
              </a>
              . A token acts with your role in this team, {role}: it reads everything, and makes and changes
              monitors and contacts.
            </p>
            <TokenForm onMade={setMade} />
          </>
        )}
      </Panel>
      <Panel title={role === 'owner' ? 'API tokens of all members' : 'Your API tokens'}>
        {error ? (
          <div className="p-4">
            <Refused error={error} />
          </div>
        ) : !data ? (
          <Waiting />
        ) : data.data.length === 0 ? (
          <p className="p-4 text-soft">There are none yet.</p>
        ) : (
          <Rows label="API tokens">
            {data.data.map((token) => (
              <TokenLine key={token.id} token={token} />
            ))}
          </Rows>
        )}
      </Panel>
    </>
  )
}

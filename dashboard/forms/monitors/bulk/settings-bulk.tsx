import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Contact } from '../../../../src/core/alerting/contact.ts'
import type { Monitor } from '../../../../src/core/monitors/monitor.ts'
import type { Team } from '../../../../src/core/teams/team.ts'
import { question } from '../../../data/ask.ts'
import { allMonitorsQuestion } from '../../../data/moving-in/all-monitors.ts'
import { useTeam } from '../../../data/session.ts'
import { t } from '../../../language/language.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Trouble } from '../../../parts/feedback/trouble.tsx'
import { Waiting } from '../../../parts/panel.tsx'
import { type Chosen, SettingsChoice } from './settings-choice.tsx'
import { SettingsPreview } from './settings-preview.tsx'

/** Changes settings of all chosen monitors, after a preview of what that changes for how many. */
export function SettingsBulk({ chosen, onDone }: { chosen: ReadonlySet<number>; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const close = () => isBusy || setOpen(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('Settings')}
      </Button>
      <Dialog
        wide
        title={t('{count, plural, one {Settings of # monitor} other {Settings of # monitors}}', {
          count: chosen.size,
        })}
        open={isOpen}
        onClose={close}
      >
        <Steps
          ids={[...chosen]}
          onBusy={setBusy}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            onDone()
          }}
        />
      </Dialog>
    </>
  )
}

/** First the new values, then what they change. */
function Steps({
  ids,
  ...ends
}: {
  ids: number[]
  onBusy: (isBusy: boolean) => void
  onClose: () => void
  onDone: () => void
}) {
  const { id } = useTeam()
  const team = useQuery(question(id, 'getTeam', {}))
  const contacts = useQuery(question(id, 'listContacts', {}))
  const all = useQuery(allMonitorsQuestion(id))
  const error = team.error ?? contacts.error ?? all.error
  if (error) return <Trouble error={error} within />
  if (!team.data || !contacts.data || !all.data) return <Waiting lines={8} className="p-0" />
  const monitors = all.data.filter((monitor) => ids.includes(monitor.id))
  return <Known {...ends} monitors={monitors} team={team.data.data} contacts={contacts.data.data} />
}

function Known({
  monitors,
  team,
  contacts,
  onBusy,
  onClose,
  onDone,
}: {
  monitors: Monitor[]
  team: Team
  contacts: Contact[]
  onBusy: (isBusy: boolean) => void
  onClose: () => void
  onDone: () => void
}) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [isPreview, setPreview] = useState(false)
  return (
    <>
      {/* It stays there behind the preview, with what is filled in. */}
      <div className={isPreview ? 'hidden' : ''}>
        <SettingsChoice
          team={team}
          contacts={contacts}
          onCancel={onClose}
          onChosen={(next) => {
            setChosen(next)
            setPreview(true)
          }}
        />
      </div>
      {isPreview && chosen && (
        <SettingsPreview
          {...{ monitors, team, contacts, chosen, onBusy, onDone }}
          onBack={() => setPreview(false)}
        />
      )}
    </>
  )
}
